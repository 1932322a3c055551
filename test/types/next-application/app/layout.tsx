import { SessionProvider } from 'lib-auth/react'
import type { ReactNode } from 'react'
import { auth } from '../auth'

export default async function Layout({ children }: LayoutProps<'/'>): Promise<ReactNode> {
  return (
    <html lang="en">
      <body>
        <SessionProvider session={await auth()}>{children}</SessionProvider>
      </body>
    </html>
  )
}
