import { auth, signIn, signOut } from '../auth'

async function startSignIn() {
  'use server'
  await signIn()
}

async function startSignInAtProvider() {
  'use server'
  await signIn('demo', { redirectTo: '/' })
}

async function leave() {
  'use server'
  await signOut({ redirectTo: '/' })
}

export default async function ServerPage() {
  const session = await auth()
  if (!session) {
    return (
      <>
        <h1>You are not signed in</h1>
        <p>This page was rendered on the server.</p>
        <div className="actions">
          <form action={startSignInAtProvider}>
            <button type="submit">Sign in with the demo provider</button>
          </form>
          <form action={startSignIn}>
            <button type="submit" className="plain">
              Other ways to sign in
            </button>
          </form>
        </div>
      </>
    )
  }
  return (
    <>
      <h1>Hello, {session.user?.name}</h1>
      <p>This page was rendered on the server, for {session.user?.email}.</p>
      <pre aria-label="Session">{JSON.stringify(session, null, 2)}</pre>
      <form action={leave}>
        <button type="submit">Sign out</button>
      </form>
    </>
  )
}
