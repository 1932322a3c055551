import { useSession } from 'lib-auth/react'
import Link from 'next/link'

function Name() {
  const { data: session, status } = useSession()
  if (status === 'loading') return '…'
  const user = session?.user
  return user ? `Signed in as ${user.name ?? user.email}` : 'Signed out'
}

export function Header() {
  return (
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
        <a href="/api/me">API route</a>
      </nav>
      <p>
        <Name />
      </p>
    </header>
  )
}
