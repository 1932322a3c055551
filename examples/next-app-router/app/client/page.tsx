import { SessionProvider } from 'lib-auth/react'
import { Profile } from './profile'

export default function ClientPage() {
  return (
    <SessionProvider>
      <Profile />
    </SessionProvider>
  )
}
