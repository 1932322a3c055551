/** docs/guides/tenants.md */
import { expect, test } from 'vitest'
import type { AuthConfig } from '../../src/index.ts'
import { getSession } from '../../src/index.ts'
import { browser, issuer } from '../../src/testing/index.ts'
import { openGuide } from './guide.ts'

interface Tenants {
  readonly tenants: Map<string, object>
  readonly configOf: (host: string) => AuthConfig
}

const { tenants, configOf } = await openGuide('tenants').load<Tenants>('tenants.ts')

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
