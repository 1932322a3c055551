import Link from 'next/link'
import { auth } from '../auth'
import { openSignInPage, signInWithLink, signInWithProvider, signOutToHome } from './actions'
import { PasswordForm } from './client/password-form'
import { PasskeySignIn } from './passkey-sign-in'
import { SessionCard } from './session-card'

function SignedOut() {
  return (
    <>
      <h1>You are not signed in</h1>
      <p>Choose a method. The provider and the mail server run on this machine.</p>
      <div className="methods">
        <section className="card">
          <h2>With an OpenID provider</h2>
          <p className="note">Authorization code flow with PKCE. No password is needed.</p>
          <form action={signInWithProvider}>
            <button type="submit" className="primary">
              Sign in with the demo provider
            </button>
          </form>
        </section>
        <section className="card">
          <h2>On the built-in page</h2>
          <p className="note">It lists every configured provider and works without scripts.</p>
          <form action={openSignInPage}>
            <button type="submit">Other ways to sign in</button>
          </form>
        </section>
        <section className="card">
          <h2>With a magic link</h2>
          <p className="note">
            The mail stays on this machine: read it in the <Link href="/mail">inbox</Link>.
          </p>
          <form action={signInWithLink}>
            <label htmlFor="email">E-mail address</label>
            <input id="email" name="email" type="email" defaultValue="you@example.com" required />
            <button type="submit">Send a magic link</button>
          </form>
        </section>
        <section className="card">
          <PasswordForm redirectTo="/" />
        </section>
        <section className="card">
          <PasskeySignIn />
        </section>
      </div>
      <p className="note">This page was rendered on the server.</p>
    </>
  )
}

export default async function ServerPage() {
  const session = await auth()
  if (!session?.user) return <SignedOut />
  const { name, email } = session.user
  return (
    <>
      <h1>Hello, {name ?? email}</h1>
      <p>This page was rendered on the server, for {email}.</p>
      <SessionCard session={session} />
      <form action={signOutToHome}>
        <button type="submit">Sign out</button>
      </form>
    </>
  )
}
