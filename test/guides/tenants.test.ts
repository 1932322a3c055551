/** docs/guides/tenants.md */
import { openSite } from '../frameworks/next/next-site.ts'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { AuthConfig } from '../../src/index.ts'
import { getSession } from '../../src/index.ts'
import type { LibResult } from '../../src/frameworks/next/index.ts'
import { encode } from '../../src/jwt.ts'
import { browser, issuer } from '../../src/testing/index.ts'
import { SECRET } from '../config.ts'
import { openGuide, stubGuideEnvironment } from './guide.ts'

interface Tenants {
  readonly tenants: Map<string, object>
  readonly configOf: (host: string) => AuthConfig
}

const guide = openGuide('tenants')
const { tenants, configOf } = await guide.load<Tenants>('tenants.ts')

async function tenant(id: string) {
  const host = `${id}.example.com`
  const op = await issuer({ url: `https://id.${id}.example` })
  const { url, clientId, clientSecret } = op
  tenants.set(host, {
    id,
    secret: `secret of ${id}`.repeat(4),
    issuer: url,
    clientId,
    clientSecret,
  })
  const config = { ...configOf(host), fetch: op.fetch, logger: { error: () => undefined } }
  const tab = browser(config, { issuer: op, origin: `https://${host}` })
  return { host, op, config, tab }
}

const acme = await tenant('acme')
const globex = await tenant('globex')

test('users sign in at the issuer of their tenant', async () => {
  for (const { tab, host } of [acme, globex]) {
    await tab.signIn(`sso-${host.split('.', 1)[0]}`, { sub: '1', name: `Ada of ${host}` })
    expect(await tab.session()).toMatchObject({
      tenant: host.split('.', 1)[0],
      user: { name: `Ada of ${host}` },
    })
  }
})

test('a session of one tenant is rejected at another one, and at its host', async () => {
  await acme.tab.signIn('sso-acme', { sub: '1', name: 'Ada' })
  const url = new URL(`https://${acme.host}/`)
  const cookie = acme.tab.cookies.header({ url, method: 'GET', initiator: 'same-site' })
  const at = (host: string) => new Request(`https://${host}/`, { headers: { cookie, host } })
  expect((await getSession(at(acme.host), acme.config)).session).not.toBeNull()
  expect((await getSession(at(globex.host), globex.config)).session).toBeNull()
  await expect(getSession(at(globex.host), acme.config)).rejects.toThrow('is not trusted')
})

test('a configuration is created once for each tenant, and for no other host', () => {
  expect(configOf(acme.host)).toBe(configOf(acme.host))
  expect(() => configOf('evil.example')).toThrow('no tenant')
})

test('a user is signed in to two areas of one host independently', async () => {
  stubGuideEnvironment()
  onTestFinished(() => void vi.unstubAllEnvs())
  vi.stubEnv('AUTH_MICROSOFT_ENTRA_ID_ID', 'id')
  vi.stubEnv('AUTH_MICROSOFT_ENTRA_ID_SECRET', 'secret')
  const { customers, staff } =
    await guide.load<Record<'customers' | 'staff', LibResult>>('areas.ts')
  const site = openSite(customers)
  const names = async () => [
    (await site.render(() => customers.auth()))?.user?.name,
    (await site.render(() => staff.auth()))?.user?.name,
  ]
  const enter = async (salt: string, name: string) => {
    const token = await encode({ token: { sub: name, name }, secret: SECRET, salt })
    site.cookies.accept(`${salt}=${token}; Path=/; Secure`, new URL('https://app.test'))
  }
  await enter('staff-session', 'Ada')
  expect(await names()).toEqual([undefined, 'Ada'])
  await enter('__Host-lib.session-token', 'Grace')
  expect(await names()).toEqual(['Grace', 'Ada'])
  const providers = await site.route(staff.handlers.GET, '/api/staff-auth/providers')
  expect(await providers.json()).toMatchObject({
    'microsoft-entra-id': {
      callbackUrl: 'https://app.test/api/staff-auth/callback/microsoft-entra-id',
    },
  })
  await site.action(() => customers.signOut({ redirect: false }))
  expect(await names()).toEqual([undefined, 'Ada'])
})
