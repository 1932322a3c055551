// What the terminal shows when the demo has started.
import { USERS } from '../examples/openid-provider/users.mjs'

/**
 * The text in the terminal: first what to click, then where everything is.
 *
 * @param {Readonly<Record<'url' | 'issuer' | 'inbox' | 'sessions' | 'databaseFile', string>>} demo
 */
export function firstScreen({ url, issuer, inbox, sessions, databaseFile }) {
  const other = sessions === 'jwt' ? 'database' : 'jwt'
  const [first] = Object.values(USERS)
  return `
  1. Open ${url}
  2. Click "Sign in with the demo provider"
  3. Click "Continue as ${first.name}", then "Continue"

  The page then shows who is signed in, how, and what the session contains.
  The other methods are on the same page: a magic link (the mail is at ${inbox})
  and a password (already filled in).

  OpenID provider   ${issuer} (${Object.keys(USERS).join(', ')}, or any user name)
  Database          ${databaseFile} (delete it to start anew)
  Sessions          ${sessions} (the other kind: SESSIONS=${other} npm run demo)

  Ctrl-C stops everything.
`
}
