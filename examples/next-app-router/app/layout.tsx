import Link from 'next/link'
import type { ReactNode } from 'react'
import './style.css'

export const metadata = { title: 'lib-auth demo' }

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        <header>
          <nav aria-label="Pages">
            <Link href="/">Server page</Link>
            <Link href="/client">Client page</Link>
            <Link href="/protected" prefetch={false}>
              Protected page
            </Link>
            <Link href="/mail" prefetch={false}>
              Mail
            </Link>
          </nav>
        </header>
        <main>{children}</main>
      </body>
    </html>
  )
}
