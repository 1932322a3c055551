import type { SessionPage } from 'lib-auth/sessions'
import { signOutDevice, signOutElsewhere } from './actions'

/** By a word of the user agent. In this order: Edge also claims to be Chrome, and Chrome to be Safari. */
const BROWSERS = {
  Firefox: 'Firefox',
  FxiOS: 'Firefox',
  Edg: 'Edge',
  Chrome: 'Chrome',
  CriOS: 'Chrome',
  Safari: 'Safari',
}
const SYSTEMS = {
  Windows: 'Windows',
  Android: 'Android',
  iPhone: 'iPhone',
  iPad: 'iPad',
  'Mac OS': 'macOS',
  Linux: 'Linux',
}

function nameIn(userAgent: string, names: Readonly<Record<string, string>>) {
  return Object.entries(names).find(([word]) => userAgent.includes(word))?.[1]
}

/** A browser can send any user agent: it is only a hint for the user. */
function describe(userAgent = '') {
  const browser = nameIn(userAgent, BROWSERS) ?? 'A browser'
  const system = nameIn(userAgent, SYSTEMS)
  return system ? `${browser} on ${system}` : browser
}

function formatTime(date: Date | null) {
  const options = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' } as const
  return date ? `${date.toLocaleString('en-GB', options)} UTC` : 'at an unknown time'
}

/** Where the user is signed in. */
export function Devices({ page }: { page: SessionPage }) {
  const list = page.sessions.toSorted((a, b) => Number(b.isCurrent) - Number(a.isCurrent))
  return (
    <section className="card">
      <h2>Where you are signed in</h2>
      <ul className="rows">
        {list.map(({ sid, isCurrent, startedAt, lastSeenAt, device }) => {
          const name = describe(device?.userAgent ?? '')
          return (
            <li key={sid}>
              <div>
                {name} {isCurrent && <strong>this device</strong>}
                <p className="note">
                  Signed in {formatTime(startedAt)}
                  {!isCurrent && lastSeenAt && `, last seen ${formatTime(lastSeenAt)}`}
                </p>
              </div>
              {!isCurrent && (
                <form action={signOutDevice}>
                  <input type="hidden" name="sid" value={sid} />
                  <button
                    type="submit"
                    aria-label={`Sign out ${name}, signed in ${formatTime(startedAt)}`}
                  >
                    Sign out
                  </button>
                </form>
              )}
            </li>
          )
        })}
      </ul>
      {page.nextCursor && <p className="note">Older ones are not shown.</p>}
      {list.length > 1 && (
        <form action={signOutElsewhere}>
          <button type="submit">Sign out everywhere else</button>
        </form>
      )}
    </section>
  )
}
