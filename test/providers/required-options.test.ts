/** Options that a module requires: a missing or wrong one is reported with what to write. */
import { describe, expect, test } from 'vitest'
import { browser } from '../../src/testing/index.ts'
import { providerNames } from '../../src/variables.ts'
import { SECRET, silentLog } from '../config.ts'
import { catalogueSite, factoryOf, fixtures } from './catalogue.ts'
import { OPTIONS } from './vendor.ts'

/** Modules with a default for the option of their fixture, or whose users select it. */
const OPTIONAL = new Set(['azure-ad', 'battlenet', 'bungie', 'microsoft-entra-id', 'workos'])
const TENANT = '11111111-2222-3333-4444-555555555555'

/** The messages that a site logs at its first request. */
async function problemsOf(module: string, options: object): Promise<string> {
  const factory = await factoryOf(module)
  const { log, logger } = silentLog()
  const providers = [() => factory({ ...OPTIONS, ...options })]
  const site = { providers, secret: SECRET, trustHost: true, logger }
  await browser(site).request('session')
  return log.errors.map(({ message }) => message).join('\n')
}

const options = [...fixtures].flatMap(([module, fixture]) =>
  Object.entries(fixture.options ?? {}).map(
    ([name, value]) => [module, name, String(value), fixture] as const,
  ),
)
const urls = options.filter(([, , value]) => value.startsWith('https:'))

test.each(options.filter(([module]) => !OPTIONAL.has(module)))(
  '%s without %s names what to set',
  async (module, name, _value, fixture) => {
    const message = await problemsOf(module, { ...fixture.options, [name]: undefined })
    expect(message).toContain(name)
    expect(message).toMatch(/Set (?:it to|issuer or AUTH_|the endpoints)/)
    if (name === 'issuer') expect(message).toContain(providerNames(fixture.id, 'issuer')[0])
  },
)

describe.each(urls)('%s with a wrong %s', (module, name, value, fixture) => {
  test.each([TENANT, 'acme', 'acme.example.com', 'eu-central-9'])(
    '%s reports the value and what to write',
    async (wrong) => {
      const message = await problemsOf(module, { ...fixture.options, [name]: wrong })
      expect(message).toMatch(new RegExp(`${name}.* is (?:not a URL|incomplete).*"${wrong}"`))
      expect(message).toMatch(/(?:Write|Set) .*https:\/\//)
    },
  )

  test('accepts a slash at the end, or reports the correct spelling', async () => {
    const correct = value.replace(/\/$/, '')
    const [vector] = fixture.vectors
    const given = { ...vector, options: { ...vector?.options, [name]: `${correct}/` } }
    const site = await catalogueSite(module, given)
    const response = await site.tab.post(`signin/${fixture.id}`)
    const location = response.headers.get('location') ?? ''
    const problem = site.log.errors.map(({ message }) => message).join('\n')
    if (problem) expect(problem).toContain(`"${correct}" in its metadata. Set issuer to exactly`)
    else expect(location).toMatch(/[?&]response_type=code&/)
  })
})
