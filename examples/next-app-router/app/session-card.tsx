import type { Session } from 'lib-auth/next'
import { lastProviders } from '../database'

/** Sign-in methods, by provider id. */
const METHODS: Readonly<Record<string, string>> = {
  demo: 'the demo provider (OpenID Connect)',
  nodemailer: 'a magic link',
  password: 'a password',
  passkey: 'a passkey',
}

const STORAGE =
  process.env.SESSIONS === 'jwt'
    ? 'in the cookie, encrypted (JWT)'
    : 'in the database; the cookie contains its token'

function formatDate(date: string) {
  const options = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' } as const
  return `${new Date(date).toLocaleString('en-GB', options)} UTC`
}

/** Who is signed in, how, and what the session contains. */
export function SessionCard({ session }: { session: Session }) {
  const provider = lastProviders.get(session.user?.id ?? '')
  return (
    <section className="card">
      <h2>Session</h2>
      <dl>
        <dt>User</dt>
        <dd>{session.user?.email}</dd>
        {provider && (
          <>
            <dt>Last sign-in</dt>
            <dd>with {METHODS[provider] ?? provider}</dd>
          </>
        )}
        <dt>Stored</dt>
        <dd>{STORAGE}</dd>
        <dt>Expires</dt>
        <dd>{formatDate(session.expires)}</dd>
      </dl>
      <p className="note">What pages and the browser receive:</p>
      <pre aria-label="Session">{JSON.stringify(session, null, 2)}</pre>
    </section>
  )
}
