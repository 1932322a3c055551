/** Database sessions: what the server receives, and what it exposes. */
import type { GetServerSidePropsContext } from 'next/types.js'
import { describe, expect, test } from 'vitest'
import MemoryAdapter from '../../src/adapters/memory.ts'
import type { LibCallbacks } from '../../src/frameworks/next/index.ts'
import Credentials from '../../src/providers/credentials.ts'
import { nextSite, SESSION } from './next/next-site.ts'
import type { NextSite } from './next/next-site.ts'

const grace = { name: 'Grace Hopper', email: 'grace@navy.test', image: null, rank: 'Rear Admiral' }

async function siteWith(callbacks: LibCallbacks): Promise<NextSite> {
  const credentials = Credentials({ createUser: true, authorize: () => ({ ...grace }) })
  const site = nextSite({ adapter: MemoryAdapter(), providers: [credentials], callbacks })
  await site.signInGrace()
  return site
}

/** Each reader of the session, and its result. */
const readers: [string, (site: NextSite) => Promise<unknown>][] = [
  ['a component', (site) => site.render(() => site.auth())],
  ['an action', (site) => site.action(() => site.auth())],
  [
    'a route handler',
    async (site) => {
      const handler = site.auth((request) => Response.json(request.auth))
      return (await site.route(handler, '/api/me')).json()
    },
  ],
  [
    'getServerSideProps',
    async (site) => {
      const work = ({ req, res }: { req: object; res: object }) =>
        site.auth({ req, res, query: {}, resolvedUrl: '/page' } as GetServerSidePropsContext)
      return (await site.pages(work, '/page')).result
    },
  ],
  [
    'the browser',
    async (site) => (await site.route(site.handlers.GET, '/api/auth/session')).json(),
  ],
]

describe.each(readers)('the session in %s', (_name, read) => {
  test('exposes only name, e-mail address and picture', async () => {
    const { name, email, image } = grace
    const site = await siteWith({})
    expect(await read(site)).toEqual({ user: { name, email, image }, expires: expect.any(String) })
  })

  test('exposes what the callback returns, without the session token', async () => {
    const site = await siteWith({ session: ({ session }) => session })
    const session = await read(site)
    expect(session).toMatchObject({ user: { email: grace.email, emailVerified: null } })
    expect(session).not.toHaveProperty('sessionToken')
    const token = site.cookies.get(SESSION)?.value ?? 'no session'
    expect(token).toMatch(/^[\da-f]{64}$/)
    expect(JSON.stringify(session)).not.toContain(token)
  })
})
