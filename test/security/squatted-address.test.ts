/** Account pre-hijacking: an attacker signs up with the address of a victim. */
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { AuthConfig } from '../../src/index.ts'
import { browser, issuer } from '../../src/testing/index.ts'
import { oidc } from '../config.ts'
import { click, locationOf, mailProvider, mailSite, requestLink, STRATEGIES } from '../email.ts'
import type { MailSite } from '../email.ts'
import { pass, stopClock } from '../sessions.ts'

const op = await issuer({ url: 'https://op.test' })
const trusted = await issuer({ url: 'https://trusted.test' })
const VICTIM = 'victim@example.com'
const EVIL = { sub: 'evil', email: VICTIM, email_verified: false }
const OWNER = { sub: 'owner', email: VICTIM, email_verified: true }
const HOME = 'https://app.test'
const REFUSED = 'https://app.test/auth/signin?error=OAuthAccountNotLinked'

afterEach(() => void vi.useRealTimers())

function site(strategy: 'jwt' | 'database'): MailSite {
  const made = mailSite({ session: { strategy } })
  const fetcher: AuthConfig['fetch'] = (input, init) => {
    const { host } = new URL(input instanceof Request ? input.url : input)
    return (host === 'trusted.test' ? trusted : op).fetch(input, init)
  }
  const config: AuthConfig = {
    ...made.config,
    fetch: fetcher,
    providers: [
      oidc(op),
      { ...oidc(trusted), id: 'trusted', allowDangerousEmailAccountLinking: true },
      mailProvider(made.mails),
    ],
    callbacks: {
      session: ({ session, token, user }) => ({ ...session, id: token?.sub ?? user.id }),
    },
  }
  return { ...made, config }
}

async function providersOf({ adapter }: MailSite): Promise<string[]> {
  const user = await adapter.getUserByEmail(VICTIM)
  const accounts = await adapter.listAccounts(user?.id ?? '')
  return accounts.map(({ provider }) => provider)
}

describe.each(STRATEGIES)(
  'with %s sessions, an attacker who signed up with the address',
  (strategy) => {
    test('loses access when the owner uses a magic link, and cannot sign in again', async () => {
      stopClock()
      const made = site(strategy)
      const attacker = browser(made.config, { issuer: op })
      expect(locationOf(await attacker.signIn('op', EVIL))).toBe(HOME)
      await pass(60)
      const victim = browser(made.config)
      expect(locationOf(await click(victim, await requestLink(victim, made, VICTIM)))).toBe(HOME)
      expect(await providersOf(made)).toEqual([])
      // Neither in a browser with a JWT session, which is still valid, nor in a new one.
      expect(locationOf(await attacker.signIn('op', EVIL))).toBe(REFUSED)
      const fresh = browser(made.config, { issuer: op })
      expect(locationOf(await fresh.signIn('op', EVIL))).toBe(REFUSED)
      expect(await providersOf(made)).toEqual([])
      if (strategy === 'database') expect(await attacker.session()).toBeNull()
    })

    test('loses access when the owner signs in at a trusted provider', async () => {
      stopClock()
      const made = site(strategy)
      const attacker = browser(made.config, { issuer: op })
      expect(locationOf(await attacker.signIn('op', EVIL))).toBe(HOME)
      await pass(60)
      const victim = browser(made.config, { issuer: trusted })
      expect(locationOf(await victim.signIn('trusted', OWNER))).toBe(HOME)
      expect(await providersOf(made)).toEqual(['trusted'])
      expect((await made.adapter.getUserByEmail(VICTIM))?.emailVerified).toBeInstanceOf(Date)
      expect(locationOf(await attacker.signIn('op', EVIL))).toBe(REFUSED)
      expect(await providersOf(made)).toEqual(['trusted'])
      if (strategy === 'database') expect(await attacker.session()).toBeNull()
    })

    test('cannot sign in to a user whose owner has verified the address before', async () => {
      const made = site(strategy)
      const victim = browser(made.config, { issuer: trusted })
      await victim.signIn('trusted', OWNER)
      const attacker = browser(made.config, { issuer: op })
      expect(locationOf(await attacker.signIn('op', EVIL))).toBe(REFUSED)
      expect(await providersOf(made)).toEqual(['trusted'])
    })
  },
)
