// What the terminal shows when the demo has started.
import { USERS } from '../examples/openid-provider/users.mjs'

const [first] = Object.values(USERS)
const anyUser = `${Object.keys(USERS).join(', ')}, or any user name`

/** What to click. */
function steps(url) {
  return `
  1. Open ${url}
  2. Click "Sign in with the demo provider"
  3. Click "Continue as ${first.name}", then "Continue"
`
}

/**
 * The text in the terminal: first what to click, then where everything is.
 *
 * @param {Readonly<Record<'url' | 'issuer' | 'inbox' | 'sessions' | 'databaseFile', string>>} demo
 */
export function firstScreen({ url, issuer, inbox, sessions, databaseFile }) {
  const other = sessions === 'jwt' ? 'database' : 'jwt'
  return `${steps(url)}
  The page then shows who is signed in, how, and what the session contains.
  The other methods are on the same page: a magic link (the mail is at ${inbox})
  and a password (already filled in). With the App Router, the page Account is where users change how they sign in.

  OpenID provider   ${issuer} (${anyUser})
  Database          ${databaseFile} (delete it to start anew)
  Sessions          ${sessions} (the other kind: SESSIONS=${other} npm run demo)

  Ctrl-C stops everything.
`
}

/**
 * The same for the example of a server.
 *
 * @param {Readonly<Record<'url' | 'issuer' | 'source', string>>} demo
 */
export function serverScreen({ url, issuer, source }) {
  return `${steps(url)}
  The page then shows who is signed in. The other method is on the same page: a password (already filled in).

  OpenID provider   ${issuer} (${anyUser})
  Source            ${source}

  Ctrl-C stops everything.
`
}
