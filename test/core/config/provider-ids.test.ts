import { expect, test } from 'vitest'
import type { Provider } from '../../../src/core/config/provider.ts'
import { resolve } from '../../../src/core/config/resolve.ts'
import { InvalidConfiguration } from '../../../src/errors.ts'
import { Auth } from '../../../src/index.ts'
import type { AuthConfig } from '../../../src/index.ts'
import { passwordConfig } from '../../config.ts'

/** A configuration with unchecked types. */
function configWith(...overrides: object[]): AuthConfig {
  const provider: Provider = {
    id: 'op',
    name: 'OP',
    type: 'oidc',
    issuer: 'https://op.test',
    clientId: 'c',
    clientSecret: 's',
  }
  const providers = overrides.map((each): Provider => Object.assign({}, provider, each))
  return { ...passwordConfig().config, providers }
}

test.each(['', '.', '..', 'my provider', 'a/b', 'a\\b', 'a%2fb', 'a?b', 'a#b', 'größe'])(
  'rejects the provider id "%s", which cannot be part of a path',
  (id) => {
    const read = () => resolve(configWith({ id }))
    expect(read).toThrow(InvalidConfiguration)
    expect(read).toThrow(
      `providers[0] has an id that cannot be part of a path (got ${JSON.stringify(id)}). Use letters, digits, "-", "_", "." and "~".`,
    )
  },
)

test.each(['github', '42-school', 'azure-ad.v2', 'My_Provider~1'])(
  'accepts the provider id %s',
  (id) => {
    expect(resolve(configWith({ id })).providers.ids).toEqual([id])
  },
)

test('uses the id as the name of a provider without one', async () => {
  const config = configWith({ name: undefined }, { id: 'other', name: '' })
  const response = await Auth(new Request('https://app.test/auth/providers'), config)
  expect(await response.json()).toMatchObject({ op: { name: 'op' }, other: { name: 'other' } })
})

test('rejects a provider name that is not a string', () => {
  const read = () => resolve(configWith({ name: 42 }))
  expect(read).toThrow(InvalidConfiguration)
  expect(read).toThrow('providers[0] (op): name is not a string (got 42).')
})
