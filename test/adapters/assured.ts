/** Sessions that keep the facts of their sign-in in the columns of an adapter, which are listed and ended. */
import { expect, test } from 'vitest'
import type { Adapter } from '../../src/adapters/index.ts'
import { requireAuth } from '../../src/index.ts'
import type { AuthConfig } from '../../src/index.ts'
import { governSessions, listSessions, revokeOtherSessions } from '../../src/sessions.ts'
import { browser, issuer } from '../../src/testing/index.ts'
import { configFor, oidc } from '../config.ts'
import { cookiesOf, requestWith } from '../core/tokens/site.ts'

const ACR = 'http://schemas.openid.net/pape/policies/2007/06/multi-factor'
const ID = 'identity-provider-of-the-company-group'

/** Tests sessions with facts that are stored over an adapter with `listSessions`. */
export function testAssured(open: () => Adapter): void {
  test.each([false, true])(
    'a session with a long provider id and acr is strong, listed and ended (hashed: %s)',
    async (hashTokens) => {
      const adapter = open()
      const op = await issuer({ algorithm: 'ES256' })
      op.misbehaviour.idToken = ({ header, claims }) => ({
        header,
        claims: { ...claims, acr: ACR, amr: ['pwd', 'otp', 'retina'] },
      })
      const session: AuthConfig['session'] = {
        strategy: 'database',
        hashTokens,
        assurance: 'kept',
        absoluteMaxAge: 34_560_000,
      }
      const { config, log } = configFor(op, {
        providers: [oidc(op, { id: ID, trustsAssurance: true })],
        adapter,
        session,
      })
      const sub = crypto.randomUUID()
      const person = { sub, email: `${sub}@example.com`, name: 'Grace Hopper' }
      const tabs = [browser(config, { issuer: op }), browser(config, { issuer: op })] as const
      for (const tab of tabs) await tab.signIn(ID, person)
      const [laptop, phone] = tabs.map((tab) => requestWith(cookiesOf(tab)))
      if (!laptop || !phone) throw new Error('No browsers.')
      const { value } = await requireAuth(laptop, config, { level: 2, acr: [ACR], maxAge: 60 })
      expect(value.assurance).toMatchObject({ level: 2, via: ID })
      const listed = (await listSessions(laptop, config)).value?.sessions ?? []
      // The facts are in the tokens, which a hash does not tell.
      expect(listed.map(({ via }) => via)).toEqual(hashTokens ? [null, null] : [ID, ID])
      expect(listed.filter(({ isCurrent }) => isCurrent)).toHaveLength(1)
      expect((await revokeOtherSessions(laptop, config)).value).toBe(1)
      expect(await tabs[1].session()).toBeNull()
      expect(await tabs[0].session()).not.toBeNull()
      const user = await adapter.getUserByEmail?.(person.email)
      expect(await governSessions(config).revokeAll(user?.id ?? '')).toBe(1)
      expect(await tabs[0].session()).toBeNull()
      expect(log.errors).toEqual([])
    },
  )
}
