/** Users who sign up with a password, reset, change and remove it. */
import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import MemoryAdapter from '../../../src/adapters/memory.ts'
import type { AccountMail } from '../../../src/core/mail/account-mail.ts'
import { Password } from '../../../src/password.ts'
import { oidc } from '../../config.ts'
import type { Answer, RawClient } from '../raw-client.ts'
import { nameOf, op } from './site.ts'
import type { Open, OpenSite } from './site.ts'

const FIRST = 'correct horse battery staple'
const SECOND = 'a pound of purple plums'

const digest = (password: string) => createHash('sha256').update(password).digest('base64url')

/** Takes no time: test/core/password tests the hashes of the library. */
const hasher = {
  hash: digest,
  verify: (password: string, hash: string) => digest(password) === hash,
}

export function passwordRows(open: Open): void {
  describe.each(['jwt', 'database'] as const)('passwords with the strategy %s', (strategy) => {
    let site: OpenSite
    const mails: AccountMail[] = []
    beforeAll(async () => {
      mails.length = 0
      const session = strategy === 'jwt' ? { strategy, revocation: {} } : { strategy }
      const account = { send: (mail: AccountMail) => void mails.push(mail) }
      const providers = [oidc(op), Password({ hasher })]
      const adapter = MemoryAdapter()
      site = await open({ overrides: { adapter, session, providers, account } })
    })

    const call = (user: RawClient, name: string, fields: object = {}): Promise<Answer> =>
      user.send(
        `/accounts?${new URLSearchParams({ password: JSON.stringify({ call: name, ...fields }) })}`,
        {
          form: {},
        },
      )

    const tokenIn = () => new URL(mails.at(-1)?.url ?? '').searchParams.get('token') ?? ''

    async function signIn(user: RawClient, password: string): Promise<string | undefined> {
      const form = { csrfToken: await user.csrfToken(), email: 'ada@example.com', password }
      return (await user.send(`${user.basePath}/callback/password`, { form })).headers.location
    }

    test('are chosen at the sign-up, reset, changed and removed', async () => {
      const user = site.user()
      const email = 'ada@example.com'
      const signUp = { email, name: 'Ada', password: FIRST, redirectTo: '/page' }
      expect((await call(user, 'signUp', signUp)).status).toBe(200)
      const verified = await call(user, 'verifyEmail', { token: tokenIn() })
      expect(JSON.parse(verified.body)).toMatch(/\/page$/)
      expect(nameOf(await user.send('/me'))).toBe('Ada')
      const rejected = await call(user, 'change', { current: 'wrong', password: SECOND })
      expect(JSON.parse(rejected.body)).toEqual({ error: 'CredentialsSignin' })
      const short = await call(user, 'change', { current: FIRST, password: 'short' })
      expect([short.status, JSON.parse(short.body)]).toEqual([400, { error: 'PasswordRejected' }])
      expect((await call(user, 'change', { current: FIRST, password: SECOND })).status).toBe(200)
      expect(nameOf(await user.send('/me'))).toBe('Ada')
      const { changed } = JSON.parse((await call(user, 'info')).body) as { changed: string }
      expect(new Date(changed).getTime()).toBeGreaterThan(Date.now() - 60 * 60 * 1000)
      expect((await call(site.user(), 'info')).body).toBe('null')
      expect((await call(site.user(), 'requestReset', { email })).status).toBe(200)
      const token = tokenIn()
      expect((await call(site.user(), 'reset', { token, password: FIRST })).status).toBe(200)
      expect((await user.send('/me')).body).toBe('null')
      expect((await call(site.user(), 'reset', { token, password: SECOND })).status).toBe(403)
      expect(await signIn(user, SECOND)).toContain('error=CredentialsSignin')
      await signIn(user, FIRST)
      expect(nameOf(await user.send('/me'))).toBe('Ada')
      expect((await call(user, 'remove')).status).toBe(409)
    })

    test('are not changed by a page of another origin, or for a visitor', async () => {
      const fields = { current: FIRST, password: SECOND }
      expect((await call(site.user(), 'change', fields)).status).toBe(401)
      const text = JSON.stringify({ call: 'change', ...fields })
      const headers = { origin: 'https://attacker.test', 'sec-fetch-site': 'cross-site' }
      const path = `/accounts?${new URLSearchParams({ password: text })}`
      const foreign = await site.user().send(path, { form: {}, headers })
      expect(foreign.status).toBeGreaterThanOrEqual(400)
    })
  })
}
