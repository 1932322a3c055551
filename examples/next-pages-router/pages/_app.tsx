import { SessionProvider } from 'lib-auth/react'
import type { Session } from 'lib-auth/react'
import type { AppProps } from 'next/app'
import Head from 'next/head'
import { FollowSession } from '../components/follow-session'
import { Header } from '../components/header'
import '../style.css'

/** Pages that read the session on the server pass it on; for all others, the browser requests it once. */
export default function App({ Component, pageProps }: AppProps<{ session?: Session | null }>) {
  const { session } = pageProps
  return (
    <SessionProvider session={session}>
      <Head>
        <title>lib-auth demo</title>
      </Head>
      {session !== undefined && <FollowSession rendered={session} />}
      <Header />
      <main>
        <Component {...pageProps} />
      </main>
    </SessionProvider>
  )
}
