import { HeadContent, Outlet, Scripts, createRootRoute } from '@tanstack/react-router'
import { SessionProvider } from 'lib-auth/react'
import { readSession } from '../session'

export const Route = createRootRoute({
  loader: async () => ({ session: await readSession() }),
  component: Root,
})

function Root() {
  const { session } = Route.useLoaderData()
  return (
    <html lang="en">
      <head>
        <HeadContent />
      </head>
      <body>
        <SessionProvider session={session} basePath="/auth">
          <Outlet />
        </SessionProvider>
        <Scripts />
      </body>
    </html>
  )
}
