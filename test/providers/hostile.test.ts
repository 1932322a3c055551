/** What every module does when its vendor sends something else than it documents. */
import { describe, expect, test } from 'vitest'
import { isRecord } from '../../src/core/is-record.ts'
import { catalogueSite, factoryOf, fixtures, issuerOf, signInWith } from './catalogue.ts'
import type { CatalogueFixture, CatalogueVector } from './catalogue.ts'
import type { VendorSite } from './vendor.ts'

const OMIT = Symbol('omit')

type Change = (value: unknown, name: string) => unknown

/** A copy with changed leaves; without those that become `OMIT`. */
function changed(value: unknown, change: Change, name = ''): unknown {
  if (Array.isArray(value))
    return value.map((item: unknown) => changed(item, change, name)).filter((item) => item !== OMIT)
  if (!isRecord(value)) return change(value, name)
  const members = Object.entries(value).map(([key, item]) => [key, changed(item, change, key)])
  return Object.fromEntries(members.filter(([, item]) => item !== OMIT))
}

/** The first vector of a fixture, with changed claims, responses and tokens. */
function vectorWith({ vectors, tokenResponse }: CatalogueFixture, change: Change): CatalogueVector {
  const [vector] = vectors
  if (!vector) throw new Error('The fixture has no vector.')
  const { idTokenClaims, responses } = vector
  const tokens = changed({ ...tokenResponse, ...vector.tokenResponse }, change)
  return {
    ...vector,
    tokenResponse: Object(tokens),
    ...(idTokenClaims && { idTokenClaims: Object(changed(idTokenClaims, change)) }),
    ...(responses && {
      responses: responses.map(({ request, response }) => ({
        request,
        response: { ...response, body: changed(response.body, change) },
      })),
    }),
  }
}

async function signIn(module: string, fixture: CatalogueFixture, change: Change) {
  const vector = vectorWith(fixture, change)
  const site = await catalogueSite(module, vector)
  const response = await signInWith(site, fixture, vector)
  return { site, response }
}

async function expectRejected({ tab, log }: VendorSite, response: Response): Promise<void> {
  expect(response.headers.get('location')).toMatch(/error=(?:OAuthCallbackError|Configuration)/)
  expect(await tab.session()).toBeNull()
  expect(log.errors).toMatchObject([{ name: expect.stringMatching(/^OAuth/) }])
}

/** The names and the texts of the leaves of the recorded responses. */
function leavesOf(fixture: CatalogueFixture): ReadonlySet<string> {
  const leaves = new Set<string>()
  vectorWith(fixture, (leaf, name) => {
    leaves.add(name).add(String(leaf))
    return leaf
  })
  return leaves
}

const expectedOf = ({ vectors }: CatalogueFixture) => vectors[0]?.expected ?? {}

const bodies: readonly (readonly [string, () => Response])[] = [
  ['HTML', () => new Response('<html></html>', { headers: { 'content-type': 'text/html' } })],
  ['nothing', () => new Response(null)],
  ['null', () => Response.json(null)],
  ['a list', () => Response.json([])],
  ['an object without tokens', () => Response.json({})],
  ['HTML with status 503', () => new Response('<html></html>', { status: 503 })],
]

/** The id is a claim of the access token, which `eveonline.test.ts` covers. */
const IN_TOKEN = new Set(['eveonline'])
/** The member with the id if there is no other. */
const ALTERNATIVES: Readonly<Record<string, string>> = { wechat: 'openid' }

/** Modules whose code reads the token response before the core does; each value of the body is a case for it. */
const READS_TOKENS = new Set(
  (
    await Promise.all(
      [...fixtures].map(async ([module, { options }]) => {
        const { token } = Object((await factoryOf(module))(options))
        return [module, token] as const
      }),
    )
  ).flatMap(([module, token]) => (token?.conform || token?.request ? [module] : [])),
)

describe.each([...fixtures])('%s', (module, fixture) => {
  const { id: accountId, image } = expectedOf(fixture)
  const leaves = leavesOf(fixture)
  const isId = (leaf: unknown, name: string) =>
    String(leaf) === accountId || name === ALTERNATIVES[module]

  // The others differ in nothing that reads it: one case shows that the module does not weaken the core.
  const own = READS_TOKENS.has(module) ? bodies : bodies.slice(-2)

  test.each(own)('rejects a token response that is %s', async (_what, body) => {
    const site = await catalogueSite(module, fixture.vectors[0])
    const url = fixture.token.url ?? `${issuerOf(fixture).replace(/\/$/, '')}/token`
    site.instead.set(url, body)
    await expectRejected(site, await signInWith(site, fixture, fixture.vectors[0] ?? {}))
  })

  test.skipIf(IN_TOKEN.has(module))('rejects a user without an id', async () => {
    const { site, response } = await signIn(module, fixture, (leaf, name) =>
      isId(leaf, name) ? OMIT : leaf,
    )
    await expectRejected(site, response)
  })

  test.skipIf(IN_TOKEN.has(module)).each([false, [42], { id: 42 }, 1.5, 2 ** 53])(
    'rejects the id %j',
    async (wrong) => {
      const { site, response } = await signIn(module, fixture, (leaf, name) =>
        isId(leaf, name) ? wrong : leaf,
      )
      await expectRejected(site, response)
    },
  )

  test.skipIf(IN_TOKEN.has(module))('rejects a numeric id, or stores it as text', async () => {
    const { site } = await signIn(module, fixture, (leaf, name) =>
      isId(leaf, name) ? 4_815_162_342 : leaf,
    )
    const ids = site.signedIn.map(({ account }) => account?.providerAccountId)
    expect([[], ['4815162342']]).toContainEqual(ids)
  })

  test.runIf(typeof image === 'string' && leaves.has(image))(
    'drops a picture with the scheme javascript',
    async () => {
      const { site } = await signIn(module, fixture, (leaf) =>
        leaf === image ? 'javascript:alert(1)' : leaf,
      )
      expect(site.log.errors).toEqual([])
      expect(site.signedIn.map(({ user }) => user.image)).toEqual([null])
    },
  )

  test.runIf(leaves.has('email_verified')).each([true, 'true', false, 'false', null])(
    'with email_verified %o is verified only by a trusted vendor',
    async (claim) => {
      const { trustEmail: stated } = Object((await factoryOf(module))(fixture.options))
      const claims = fixture.vectors[0]?.idTokenClaims ?? {}
      const trustEmail = typeof stated === 'function' ? stated(claims) : stated
      const { site } = await signIn(module, fixture, (leaf, name) =>
        name === 'email_verified' ? claim : leaf,
      )
      const isVerified = trustEmail === true && (claim === true || claim === 'true')
      expect(site.log.debug.filter(([line]) => line === 'profile mapped')).toEqual([
        ['profile mapped', expect.objectContaining({ emailVerified: isVerified })],
      ])
    },
  )
})
