/** Every provider module: its requests, and the user of each documented profile. */
import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { build } from 'esbuild'
import { gzipSync } from 'node:zlib'
import { expectSignedIn } from '../oauth.ts'
import {
  catalogueSite,
  expectedParameters,
  expectTokenRequest,
  factoryOf,
  fixtures,
  issuerOf,
  signInWith,
} from './catalogue.ts'
import type { CatalogueFixture } from './catalogue.ts'
import { expectUser } from './vendor.ts'

/** Modules of other types than `oauth` and `oidc`. */
const OTHERS = new Set([
  'credentials',
  'email',
  'forwardemail',
  'index',
  'loops',
  'mailgun',
  'nodemailer',
  'passkey',
  'postmark',
  'resend',
  'sendgrid',
  'webauthn',
])
/** Former names of a module, which import it. */
const ALIASES: Readonly<Record<string, string>> = { 'azure-ad': 'microsoft-entra-id' }
const MAX_BYTES = 1100

const modules = readdirSync(new URL('../../src/providers', import.meta.url))
  .map((file) => file.replace('.ts', ''))
  .filter((name) => !name.startsWith('_') && !OTHERS.has(name))

/** The profile response of the last request of a vector, replaced. */
function withProfile({ vectors }: CatalogueFixture, body: unknown) {
  const [vector] = vectors
  const responses = vector?.responses?.map((each) => ({
    ...each,
    response: { status: 200, body },
  }))
  return { ...vector, ...(responses && { responses }) }
}

test('each module has a fixture', () => {
  expect([...fixtures.keys()].toSorted()).toEqual(modules.toSorted())
})

describe.each([...fixtures])('%s', (module, fixture) => {
  const { id, name, type, vectors } = fixture

  test('has its id, name and type', async () => {
    const factory = await factoryOf(module)
    expect(factory(fixture.options)).toMatchObject({ id, name, type })
  })

  test('sends the documented authorization request', async () => {
    const { tab } = await catalogueSite(module)
    const { url } = await tab.begin(id)
    const endpoint =
      fixture.authorization.url ?? `${issuerOf(fixture).replace(/\/$/, '')}/authorize`
    expect(url.origin + url.pathname).toBe(endpoint)
    expect(Object.fromEntries(url.searchParams)).toEqual(expectedParameters(fixture))
  })

  test('has a vector', () => {
    expect(vectors).not.toEqual([])
  })

  test.each(vectors)('signs in: $name', async (vector) => {
    const site = await catalogueSite(module, vector)
    await expectSignedIn(site, await signInWith(site, fixture, vector))
    expectUser(site, id, vector)
    await expectTokenRequest(site, fixture)
    const profileRequests = (vector.responses ?? []).map(
      ({ request }) => `${request.method} ${request.url}`,
    )
    expect(site.requests).toEqual(expect.arrayContaining(profileRequests))
  })

  test.runIf(fixture.tokenErrorResponse?.status === 200)(
    'rejects a token error with status 200',
    async () => {
      const tokenResponse = Object(fixture.tokenErrorResponse?.body)
      const vector = { ...vectors[0], tokenResponse }
      const site = await catalogueSite(module, vector)
      const response = await signInWith(site, fixture, vector)
      expect(response.headers.get('location')).toMatch(/error=/)
      expect(await site.tab.session()).toBeNull()
    },
  )

  // Some profiles are claims of the access token.
  test.runIf(type === 'oauth' && vectors[0]?.responses !== undefined)(
    'rejects a profile that is empty, null, a list or HTML',
    async () => {
      for (const body of [{}, null, [], '<html></html>']) {
        const vector = withProfile(fixture, body)
        const site = await catalogueSite(module, vector)
        const response = await signInWith(site, fixture, vector)
        expect(response.headers.get('location'), JSON.stringify(body)).toMatch(/error=/)
        expect(await site.tab.session()).toBeNull()
      }
    },
  )

  test('adds at most 1 kB to a bundle, and imports no other module', async () => {
    const { outputFiles, metafile } = await build({
      entryPoints: [`src/providers/${module}.ts`],
      bundle: true,
      minify: true,
      metafile: true,
      write: false,
      format: 'esm',
      splitting: true,
      outdir: 'unused',
      // Part of the core.
      external: ['../core/errors/classes.ts'],
    })
    const [entry] = outputFiles
    expect(gzipSync(entry?.contents ?? '').length).toBeLessThanOrEqual(MAX_BYTES)
    const inputs = Object.keys(metafile.inputs).filter(
      (path) => /^src\/providers\/[^_]/.test(path) && !path.endsWith(`/${module}.ts`),
    )
    const renamed = ALIASES[module]
    expect(inputs).toEqual(renamed ? [`src/providers/${renamed}.ts`] : [])
  })
})
