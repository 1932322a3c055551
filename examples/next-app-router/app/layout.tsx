import { SessionProvider } from 'lib-auth/react'
import Link from 'next/link'
import type { ReactNode } from 'react'
import { auth } from '../auth'
import { FollowSession } from './follow-session'
import './style.css'

// Without an icon, browsers would request /favicon.ico.
export const metadata = { title: 'lib-auth demo', icons: { icon: 'data:,' } }

/** The server renders the session with each page, so that the browser does not request it. */
export default async function Layout({ children }: { children: ReactNode }) {
  const session = await auth()
  const user = session?.user
  return (
    <html lang="en">
      <body>
        <SessionProvider session={session}>
          <FollowSession rendered={session} />
          <header>
            <nav aria-label="Pages">
              <Link href="/">Server page</Link>
              <Link href="/client">Client page</Link>
              <Link href="/protected" prefetch={false}>
                Protected page
              </Link>
              <Link href="/account" prefetch={false}>
                Account
              </Link>
              <Link href="/api-of-provider" prefetch={false}>
                API
              </Link>
              <Link href="/mail" prefetch={false}>
                Mail
              </Link>
            </nav>
            <p>{user ? `Signed in as ${user.name ?? user.email}` : 'Signed out'}</p>
          </header>
          <main>{children}</main>
        </SessionProvider>
      </body>
    </html>
  )
}
