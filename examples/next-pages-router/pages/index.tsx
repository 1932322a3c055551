import { signOut } from 'lib-auth/react'
import type { GetServerSidePropsContext, InferGetServerSidePropsType } from 'next'
import { auth } from '../auth'
import { SessionCard } from '../components/session-card'
import { SignInMethods } from '../components/sign-in-methods'
import { lastProviders } from '../database'

export async function getServerSideProps(context: GetServerSidePropsContext) {
  const session = await auth(context)
  const strategy: 'jwt' | 'database' = process.env.SESSIONS === 'jwt' ? 'jwt' : 'database'
  const provider = lastProviders.get(session?.user?.id ?? '') ?? null
  return { props: { session, provider, strategy, inbox: process.env.DEMO_INBOX ?? null } }
}

export default function ServerPage({
  session,
  provider,
  strategy,
  inbox,
}: InferGetServerSidePropsType<typeof getServerSideProps>) {
  if (!session?.user) {
    return (
      <>
        <h1>You are not signed in</h1>
        <p>Choose a method. The provider and the mail server run on this machine.</p>
        <SignInMethods inbox={inbox} />
        <p className="note">This page was rendered on the server.</p>
      </>
    )
  }
  const { name, email } = session.user
  return (
    <>
      <h1>Hello, {name ?? email}</h1>
      <p>This page was rendered on the server, for {email}.</p>
      <SessionCard session={session} provider={provider} strategy={strategy} />
      <button type="button" onClick={() => void signOut()}>
        Sign out
      </button>
    </>
  )
}
