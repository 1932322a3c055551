import { signIn, signOut } from 'lib-auth/react'
import type { GetServerSidePropsContext, InferGetServerSidePropsType } from 'next'
import { auth } from '../auth'

export async function getServerSideProps(context: GetServerSidePropsContext) {
  return { props: { session: await auth(context) } }
}

export default function ServerPage({
  session,
}: InferGetServerSidePropsType<typeof getServerSideProps>) {
  if (!session?.user) {
    return (
      <>
        <h1>You are not signed in</h1>
        <p>This page was rendered on the server.</p>
        <div className="actions">
          <button type="button" onClick={() => void signIn('demo')}>
            Sign in with the demo provider
          </button>
          <button type="button" className="plain" onClick={() => void signIn()}>
            Other ways to sign in
          </button>
        </div>
      </>
    )
  }
  const { name, email } = session.user
  return (
    <>
      <h1>Hello, {name ?? email}</h1>
      <p>This page was rendered on the server, for {email}.</p>
      <pre aria-label="Session">{JSON.stringify(session, null, 2)}</pre>
      <button type="button" onClick={() => void signOut()}>
        Sign out
      </button>
    </>
  )
}
