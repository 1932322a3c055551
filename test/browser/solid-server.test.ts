/** The client for Solid on a server, as Node resolves the package. */
import { createComponent } from 'solid-js'
import { isServer, renderToString } from 'solid-js/web'
import { expect, test, vi } from 'vitest'
import { SessionProvider, useSession } from '../../src/browser/solid/index.ts'
import { sessionOf } from './greeting.tsx'

function Greeting(): string {
  const session = useSession()
  return `${session().status}: ${session().data?.user?.name}`
}

function render(name: string): string {
  return renderToString(() =>
    createComponent(SessionProvider, {
      session: sessionOf(name),
      get children() {
        return createComponent(Greeting, {})
      },
    }),
  )
}

test('pages that a server renders contain only their own session, and send no request', async () => {
  expect(isServer).toBe(true)
  const fetch = vi.spyOn(globalThis, 'fetch')
  const pages = await Promise.all(['Ada', 'Grace'].map(async (name) => render(name)))
  expect(pages).toEqual(['authenticated: Ada', 'authenticated: Grace'])
  expect(fetch).not.toHaveBeenCalled()
})
