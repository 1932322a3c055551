/** Options that a module requires: a missing or wrong one is reported with what to write. */
import { describe, expect, test } from 'vitest'
import { browser } from '../../src/testing/index.ts'
import { providerNames } from '../../src/core/config/variables.ts'
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
/** Every module with the URL of an issuer or instance, also where that has a default. */
const instances = [...fixtures].flatMap(([module, fixture]) => {
  const name = fixture.options?.['baseUrl'] ? 'baseUrl' : 'issuer'
  const value = fixture.options?.[name] ?? fixture.issuer
  return typeof value === 'string' ? [[module, name, value, fixture] as const] : []
})

test.each(options.filter(([module]) => !OPTIONAL.has(module)))(
  '%s without %s names what to set',
  async (module, name, _value, fixture) => {
    const message = await problemsOf(module, { ...fixture.options, [name]: undefined })
    expect(message).toContain(name)
    expect(message).toMatch(/Set (?:it to|issuer or AUTH_|the endpoints)/)
    if (name === 'issuer') expect(message).toContain(providerNames(fixture.id, 'issuer')[0])
  },
)

describe.each(urls)('%s with a wrong %s', (module, name, _value, fixture) => {
  test.each([TENANT, 'acme', 'acme.example.com', 'eu-central-9'])(
    '%s reports the value and what to write',
    async (wrong) => {
      const message = await problemsOf(module, { ...fixture.options, [name]: wrong })
      expect(message).toMatch(new RegExp(`${name}.* is (?:not a URL|incomplete).*"${wrong}"`))
      expect(message).toMatch(/(?:Write|Set) .*https:\/\//)
    },
  )
})

test('every OpenID module has a URL of an issuer in the table', () => {
  const modules = new Set(instances.map(([module]) => module))
  const openid = [...fixtures].filter(([, { type }]) => type === 'oidc')
  expect(openid.map(([module]) => module).filter((module) => !modules.has(module))).toEqual([])
})

describe.each(instances)('%s', (module, name, value, fixture) => {
  const correct = value.replace(/\/$/, '')
  const [vector] = fixture.vectors

  /** A site whose `name` is this URL. */
  function open(url: string) {
    if (!vector) throw new Error('The fixture has no vector.')
    return catalogueSite(module, { ...vector, options: { ...vector.options, [name]: url } })
  }

  test(`accepts a slash at the end of ${name}, or reports the correct spelling`, async () => {
    const site = await open(`${correct}/`)
    const response = await site.tab.post(`signin/${fixture.id}`)
    const location = response.headers.get('location') ?? ''
    const problem = site.log.errors.map(({ message }) => message).join('\n')
    if (problem) expect(problem).toContain(`"${correct}" in its metadata. Set issuer to exactly`)
    else expect(location).toMatch(/[?&]response_type=code&/)
  })
})

/** Options with the URL of an instance whose default is the service of the vendor. */
const OWN_INSTANCES = {
  'enterprise.baseUrl': ['github', (baseUrl: string) => ({ enterprise: { baseUrl } })],
  baseUrl: ['gitlab', (baseUrl: string) => ({ baseUrl })],
  apiBaseUrl: ['webex', (apiBaseUrl: string) => ({ apiBaseUrl })],
  issuer: ['workos', (issuer: string) => ({ issuer })],
} as const

describe.each(Object.entries(OWN_INSTANCES))('%s', (name, [module, optionsFor]) => {
  test(`of ${module} can have slashes at the end`, async () => {
    const factory = await factoryOf(module)
    const [plain, ...others] = ['', '/', '//'].map((end) => {
      const { authorization, token, userinfo, issuer } = Object(
        factory(optionsFor(`https://id.example.com/app${end}`)),
      )
      return JSON.stringify([authorization, token, userinfo, module === 'github' && issuer])
    })
    expect(plain).toContain('"https://id.example.com/app/')
    for (const other of others) expect(other).toBe(plain)
  })

  // The message for GitHub names the endpoints that start with the value.
  test.each([TENANT, 'id.example.com'])(`of ${module} rejects "%s"`, async (wrong) => {
    const message = await problemsOf(module, optionsFor(wrong))
    const label = module === 'github' ? 'issuer' : name
    expect(message).toMatch(new RegExp(`${label}.* is not a URL.*"${wrong}`))
    expect(message).toMatch(/(?:Write|Set) .*https:\/\//)
  })
})

test.each(['https://login.microsoftonline.com', 'https://login.microsoftonline.us'])(
  'Entra ID reports the URL of a tenant at %s without a version',
  async (host) => {
    for (const end of ['', '/']) {
      const message = await problemsOf('microsoft-entra-id', { issuer: `${host}/${TENANT}${end}` })
      expect(message).toContain(`Set it to ${host}/${TENANT}/v2.0.`)
    }
  },
)
