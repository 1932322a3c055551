// As in docs/guides/other-servers.md, with types.
import { createAsync, query, Router } from '@solidjs/router'
import type { RouteSectionProps } from '@solidjs/router'
import { FileRoutes } from '@solidjs/start/router'
import { SessionProvider } from 'lib-auth/solid'
import { Show, Suspense } from 'solid-js'
import { getRequestEvent } from 'solid-js/web'

const readSession = query(async () => {
  'use server'
  return getRequestEvent()?.locals.session ?? null
}, 'session')

function Layout(props: RouteSectionProps) {
  const session = createAsync(() => readSession())
  return (
    <Suspense>
      <Show when={session() !== undefined}>
        <SessionProvider session={session()}>{props.children}</SessionProvider>
      </Show>
    </Suspense>
  )
}

export default function App() {
  return (
    <Router root={Layout}>
      <FileRoutes />
    </Router>
  )
}
