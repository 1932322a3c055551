import { SessionProvider } from 'lib-auth/react'
import { Link, Links, Meta, Outlet, Scripts } from 'react-router'
import type { Route } from './+types/root'
import { lib } from './auth.server'
import '../../next-app-router/app/style.css'

export const middleware = [lib.middleware]

export const meta = () => [{ title: 'lib-auth demo' }]

export async function loader({ context }: Route.LoaderArgs) {
  return { session: await lib.auth(context) }
}

export default function Root({ loaderData }: Route.ComponentProps) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <Meta />
        <Links />
        <link rel="icon" href="data:," />
      </head>
      <body>
        <header>
          <nav aria-label="Pages">
            <Link to="/">Server page</Link>
            <Link to="/client">Client page</Link>
            <Link to="/protected">Protected page</Link>
          </nav>
        </header>
        <main>
          <SessionProvider session={loaderData.session} basePath="/auth">
            <Outlet />
          </SessionProvider>
        </main>
        <Scripts />
      </body>
    </html>
  )
}
