/** A provider of type `oauth` without `scope`: none is sent, and in development one warning is logged. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { issuer } from '../../src/testing/index.ts'
import { site } from '../oauth.ts'
import type { SiteOptions } from '../oauth.ts'

const op = await issuer()
beforeEach(() => op.reset())
afterEach(() => vi.unstubAllEnvs())

/** The warnings about scopes of two sign-ins that are started. */
async function warnings(
  mode: string,
  provider: NonNullable<SiteOptions['provider']>,
): Promise<unknown[][]> {
  vi.stubEnv('NODE_ENV', mode)
  const { tab, log } = site(op, { provider })
  await tab.begin('op')
  await tab.begin('op')
  return log.lines.filter(([, code]) => code === 'oauth-no-scope')
}

describe('in development, a provider of type oauth', () => {
  test('without scope causes one warning that states what to set', async () => {
    expect(await warnings('development', { type: 'oauth' })).toEqual([
      [
        'warn',
        'oauth-no-scope',
        'Provider op sends no scope. next-auth sends "openid profile email" for such a provider; to keep that, set authorization: { params: { scope: "openid profile email" } }.',
      ],
    ])
  })

  test('with a scope causes no warning', async () => {
    const authorization = { url: `${op.url}/authorize`, params: { scope: 'read' } }
    expect(await warnings('development', { type: 'oauth', authorization })).toEqual([])
  })
})

test('a provider of type oidc causes no warning, because it has a default scope', async () => {
  expect(await warnings('development', {})).toEqual([])
})

test.each(['production', 'staging'])('nothing is logged with NODE_ENV=%s', async (mode) => {
  const authorization = `${op.url}/authorize`
  expect(await warnings(mode, { type: 'oauth', authorization })).toEqual([])
})
