import { signIn } from 'lib-auth/react'
import { PasswordForm } from './password-form'

/** One card for each way to sign in. */
export function SignInMethods({ inbox }: { inbox: string | null }) {
  return (
    <div className="methods">
      <section className="card">
        <h2>With an OpenID provider</h2>
        <p className="note">Authorization code flow with PKCE. No password is needed.</p>
        <p className="actions">
          <button type="button" className="primary" onClick={() => void signIn('demo')}>
            Sign in with the demo provider
          </button>
        </p>
      </section>
      <section className="card">
        <h2>On the built-in page</h2>
        <p className="note">It lists every configured provider and works without scripts.</p>
        <p className="actions">
          <button type="button" onClick={() => void signIn()}>
            Other ways to sign in
          </button>
        </p>
      </section>
      <section className="card">
        <h2>With a magic link</h2>
        <p className="note">
          The mail stays on this machine
          {inbox && [
            ': read it in the ',
            <a key="inbox" href={inbox}>
              inbox
            </a>,
          ]}
          .
        </p>
        <form
          onSubmit={(event) => {
            event.preventDefault()
            const email = new FormData(event.currentTarget).get('email')
            void signIn('nodemailer', { email })
          }}
        >
          <label htmlFor="email">E-mail address</label>
          <input id="email" name="email" type="email" defaultValue="you@example.com" required />
          <button type="submit">Send a magic link</button>
        </form>
      </section>
      <section className="card">
        <PasswordForm />
      </section>
    </div>
  )
}
