import { SessionProvider } from 'lib-auth/react'
import { Links, Meta, Outlet, Scripts } from 'react-router'
import type { Route } from './+types/root'
import * as lib from './auth.server'

const parseForms: Route.MiddlewareFunction = async ({ request }) => {
  if (lib.parsers && request.method === 'POST') await request.formData()
}

export const middleware: Route.MiddlewareFunction[] = [parseForms, lib.middleware]

export async function loader({ context }: Route.LoaderArgs) {
  return { session: await lib.auth(context) }
}

export default function App({ loaderData }: Route.ComponentProps) {
  return (
    <html lang="en">
      <head>
        <Meta />
        <Links />
      </head>
      <body>
        <SessionProvider session={loaderData.session} basePath="/auth">
          <Outlet />
        </SessionProvider>
        <Scripts />
      </body>
    </html>
  )
}
