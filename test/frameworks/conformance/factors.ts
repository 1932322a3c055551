/** Users who add and remove authenticator apps, and sign in with them. */
import { beforeAll, describe, expect, test } from 'vitest'
import MemoryAdapter from '../../../src/adapters/memory.ts'
import { appCode } from '../../core/factors/app-code.ts'
import type { RawClient } from '../raw-client.ts'
import { op } from './site.ts'
import type { Open, OpenSite } from './site.ts'

export function factorRows(open: Open): void {
  describe.each(['jwt', 'database'] as const)('second factors with the strategy %s', (strategy) => {
    let site: OpenSite
    const adapter = MemoryAdapter()
    beforeAll(async () => {
      site = await open({ overrides: { adapter, session: { strategy }, secondStep: {} } })
    })

    /** Signs in at the provider; returns where the user lands. */
    async function signIn(user: RawClient, sub: string) {
      const form = { csrfToken: await user.csrfToken(), callbackUrl: '/page' }
      const begun = await user.send(`${user.basePath}/signin/op`, { form })
      const person = { sub, name: `User ${sub}`, email: `${sub}@example.com` }
      const { url } = await op.authorize(begun.headers.location ?? '', person)
      const { pathname, search } = new URL(url)
      return (await user.send(pathname + search)).headers.location
    }

    async function call(user: RawClient, query: string) {
      const { status, body } = await user.send(`/factors?call=${query}`, { form: {} })
      return { status, body: JSON.parse(body) }
    }

    test('are added, asked for, listed, renewed and removed', async () => {
      const user = site.user()
      await signIn(user, 'ada')
      const { id, secret } = (await call(user, 'enroll')).body
      expect((await call(user, `confirm&id=${id}&code=000000`)).status).toBe(403)
      const code = await appCode(secret)
      const { recoveryCodes } = (await call(user, `confirm&id=${id}&code=${code}`)).body
      expect(recoveryCodes).toHaveLength(10)
      expect(await call(user, 'renew')).toMatchObject({
        status: 401,
        body: { error: 'StepUpRequired' },
      })
      expect(await signIn(user, 'ada')).toMatch(/\/step-up$/)
      const form = { csrfToken: await user.csrfToken(), code: await appCode(secret, 1) }
      const done = await user.send(`${user.basePath}/step-up`, { form })
      expect(done.headers.location).toMatch(/\/page$/)
      expect(JSON.parse((await user.send('/factors')).body)).toMatchObject({
        apps: [{ id, name: 'Phone' }],
        recoveryCodesLeft: 10,
      })
      expect((await call(user, 'renew')).body).toHaveLength(10)
      expect((await call(user, `remove&id=${id}`)).body).toMatchObject({ id })
      expect(await signIn(site.user(), 'ada')).toMatch(/\/page$/)
    })

    test('of visitors do not exist', async () => {
      const visitor = site.user()
      expect(JSON.parse((await visitor.send('/factors')).body)).toBeNull()
      expect((await call(visitor, 'enroll')).status).toBe(401)
    })
  })
}
