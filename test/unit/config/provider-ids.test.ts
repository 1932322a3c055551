import { expect, test } from 'vitest'
import type { Provider } from '../../../src/config/provider.ts'
import { resolve } from '../../../src/config/resolve.ts'
import { InvalidConfiguration } from '../../../src/errors.ts'
import { Auth } from '../../../src/index.ts'
import type { AuthConfig } from '../../../src/index.ts'
import { passwordConfig } from '../../config.ts'

/** A configuration with providers whose types nobody has checked. */
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
  'a provider cannot have the id "%s": no path would lead to it',
  (id) => {
    const read = () => resolve(configWith({ id }))
    expect(read).toThrow(InvalidConfiguration)
    expect(read).toThrow(
      `providers[0] has an id that cannot be part of a path (got ${JSON.stringify(id)}). Use letters, digits, "-", "_", "." and "~".`,
    )
  },
)

test.each(['github', '42-school', 'azure-ad.v2', 'My_Provider~1'])('it can be %s', (id) => {
  expect(resolve(configWith({ id })).providers.ids).toEqual([id])
})

test('a provider without a name is called by its id', async () => {
  const config = configWith({ name: undefined }, { id: 'other', name: '' })
  const response = await Auth(new Request('https://app.test/auth/providers'), config)
  expect(await response.json()).toMatchObject({ op: { name: 'op' }, other: { name: 'other' } })
})
