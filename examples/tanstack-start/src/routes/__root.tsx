import { HeadContent, Link, Outlet, Scripts, createRootRoute } from '@tanstack/react-router'
import { SessionProvider } from 'lib-auth/react'
import style from '../../../next-app-router/app/style.css?url'
import { readSession } from '../session'

export const Route = createRootRoute({
  head: () => ({
    meta: [
      { charSet: 'utf-8' },
      { name: 'viewport', content: 'width=device-width, initial-scale=1' },
      { title: 'lib-auth demo' },
    ],
    links: [
      { rel: 'stylesheet', href: style },
      { rel: 'icon', href: 'data:,' },
    ],
  }),
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
        <header>
          <nav aria-label="Pages">
            <Link to="/">Server page</Link>
            <Link to="/client">Client page</Link>
            {/* As a document: the server redirects visitors to the sign-in page. */}
            <Link to="/protected" reloadDocument>
              Protected page
            </Link>
          </nav>
        </header>
        <main>
          <SessionProvider session={session} basePath="/auth">
            <Outlet />
          </SessionProvider>
        </main>
        <Scripts />
      </body>
    </html>
  )
}
