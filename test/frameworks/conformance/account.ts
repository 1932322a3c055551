/** Users who link and unlink their accounts at providers, and delete themselves. */
import { beforeAll, describe, expect, test } from 'vitest'
import type { AccountMail } from '../../../src/account.ts'
import MemoryAdapter from '../../../src/adapters/memory.ts'
import { issuer } from '../../../src/testing/index.ts'
import type { Issuer } from '../../../src/testing/index.ts'
import { oidc } from '../../config.ts'
import { hiddenFields } from '../../email.ts'
import type { RawClient } from '../raw-client.ts'
import type { Open, OpenSite } from './site.ts'

interface Listed {
  readonly provider: string
  readonly email: string | null
}

/** Accounts of users who have signed up with the provider `other`. */
export function accountRows(open: Open): void {
  describe.each(['jwt', 'database'] as const)('accounts with the strategy %s', (strategy) => {
    let site: OpenSite
    let provider: Issuer
    const adapter = MemoryAdapter()
    const mails: AccountMail[] = []
    beforeAll(async () => {
      provider = await issuer()
      const providers = [oidc(provider), oidc(provider, { id: 'other' })]
      const session = strategy === 'jwt' ? { strategy, revocation: {} } : { strategy }
      const { fetch } = provider
      const account = {
        send: (mail: AccountMail) => void mails.push(mail),
        mergeUsers: () => undefined,
      }
      site = await open({ overrides: { adapter, session, providers, fetch, account } })
    })

    async function comeBack(user: RawClient, asked: string, sub: string) {
      const email = `${sub}@example.com`
      const { url } = await provider.authorize(asked, { sub, name: `User ${sub}`, email })
      const { pathname, search } = new URL(url)
      return user.send(pathname + search)
    }

    async function signedUp(sub: string): Promise<RawClient> {
      const user = site.user()
      const form = { csrfToken: await user.csrfToken(), callbackUrl: '/page' }
      const begun = await user.send(`${user.basePath}/signin/other`, { form })
      await comeBack(user, begun.headers.location ?? '', sub)
      return user
    }

    async function list(user: RawClient): Promise<readonly Listed[] | null> {
      return JSON.parse((await user.send('/accounts')).body)
    }

    /** The URL of the provider: a redirect, or the result of a server function. */
    async function startLink(user: RawClient): Promise<string> {
      const { headers, body } = await user.send('/accounts', { form: {} })
      return headers.location ?? String(JSON.parse(body))
    }

    test('are linked, listed and unlinked', async () => {
      const user = await signedUp('ada')
      expect(await list(user)).toMatchObject([{ provider: 'other', isLast: true }])
      const back = await comeBack(user, await startLink(user), 'ada at work')
      expect(back.headers.location).toMatch(/\/page$/)
      expect((await list(user))?.map((each) => each.provider)).toEqual(['op', 'other'])
      expect(
        JSON.parse((await user.send('/accounts?unlink=unknown', { form: {} })).body),
      ).toBeNull()
      const unlinked = await user.send('/accounts?unlink=ada', { form: {} })
      expect(JSON.parse(unlinked.body)).toMatchObject({ provider: 'other', isLast: false })
      expect((await list(user))?.map((each) => each.provider)).toEqual(['op'])
    })

    test('that are the last sign-in method stay', async () => {
      const user = await signedUp('grace')
      expect((await user.send('/accounts?unlink=grace', { form: {} })).status).toBe(409)
      expect(await list(user)).toHaveLength(1)
    })

    test('end with their user', async () => {
      const user = await signedUp('mary')
      const phone = await signedUp('mary')
      expect((await user.send('/accounts?remove', { form: {} })).status).toBe(200)
      expect(await adapter.getUserByEmail?.('mary@example.com')).toBeNull()
      expect([(await user.send('/me')).body, await list(user)]).toEqual(['null', null])
      expect(await list(phone)).toBeNull()
    })

    test('of another user become those of the user who signs in as both', async () => {
      const user = await signedUp('rosa')
      await signedUp('rosa at home')
      const asked = await user.send('/accounts?merge', { form: {} })
      const to = asked.headers.location ?? String(JSON.parse(asked.body))
      // Some frameworks shorten the URL of their own site.
      const page = new URL(to, 'http://localhost')
      const { body } = await user.send(page.pathname + page.search)
      const begun = await user.send(`${user.basePath}/signin/other`, { form: hiddenFields(body) })
      const back = await comeBack(user, begun.headers.location ?? '', 'rosa at home')
      expect(back.headers.location).toMatch(/\/page$/)
      expect(await list(user)).toHaveLength(2)
      expect(await adapter.getUserByEmail?.('rosa at home@example.com')).toBeNull()
      expect(JSON.parse((await user.send('/me')).body)).not.toBeNull()
    })

    test('have another e-mail address once its mailbox has confirmed it', async () => {
      const user = await signedUp('eva')
      const pending = async () => JSON.parse((await user.send('/accounts?pending')).body)
      const to = 'eva@new.example'
      const asked = await user.send(`/accounts?email=${to}`, { form: {} })
      expect(JSON.parse(asked.body)).toMatchObject({ to, awaits: ['new'] })
      expect(await pending()).toMatchObject({ to })
      expect((await user.send('/accounts?email=', { form: {} })).body).toBe('true')
      expect(await pending()).toBeNull()
      expect((await user.send('/accounts?email=eva', { form: {} })).status).toBe(400)
      await user.send(`/accounts?email=${to}`, { form: {} })
      const { pathname, search } = new URL(mails.findLast((mail) => mail.to === to)?.url ?? '')
      const { status, body } = await user.send(pathname + search)
      expect(status).toBe(200)
      expect(await adapter.getUserByEmail?.(to)).toBeNull()
      expect((await user.send(pathname, { form: hiddenFields(body) })).status).toBe(200)
      expect(await adapter.getUserByEmail?.(to)).not.toBeNull()
      expect(await pending()).toBeNull()
    })

    test('are not changed by a page of another origin, or for a visitor', async () => {
      const user = await signedUp('ida')
      const headers = { origin: 'https://attacker.test', 'sec-fetch-site': 'cross-site' }
      const email = '/accounts?email=ida@new.example'
      for (const path of ['/accounts', '/accounts?unlink=ida', '/accounts?remove', email]) {
        const foreign = await user.send(path, { form: {}, headers })
        const visitor = await site.user().send(path, { form: {} })
        for (const { status } of [foreign, visitor]) expect(status).toBeGreaterThanOrEqual(400)
      }
      expect(await list(site.user())).toBeNull()
      expect(await list(user)).toHaveLength(1)
    })
  })
}
