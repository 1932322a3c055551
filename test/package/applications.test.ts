/** The tarball installs into common applications with strict peer dependencies, and works there. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { issuer } from '../../src/testing/index.ts'
import { serve } from '../frameworks/servers/listen.ts'
import { compile, installInto, startNext, submit } from './applications.ts'
import type { Application, Site } from './applications.ts'

const TYPES = ['@types/node@20', 'typescript@5.4.5']

/** Dependencies of applications on Next.js. */
const SITES = {
  'Next.js 14.2': ['next@14.2.35', 'react@18.2.0', 'react-dom@18.2.0', '@types/react@18'],
  'Next.js 15.1 with Drizzle 0.34': [
    'next@15.1.0',
    'react@19.0.0',
    'react-dom@19.0.0',
    '@types/react@19',
    'drizzle-orm@0.34.0',
  ],
  'Next.js 16.0': ['next@16.0.0', 'react@19.2.0', 'react-dom@19.2.0', '@types/react@19'],
}

/** Seconds; enough to render a page and to call a route. */
const TOKEN_LIFETIME = 4

/** A provider at its own origin. */
async function startIssuer() {
  const provider: { op?: Awaited<ReturnType<typeof issuer>> } = {}
  const { origin, stop } = await serve(
    async (request) => provider.op?.fetch(request) ?? Response.error(),
  )
  const op = await issuer({
    url: origin,
    clientId: 'client',
    clientSecret: 'a secret of the client',
    refreshTokens: 'rotated',
    accessTokenLifetime: TOKEN_LIFETIME,
  })
  provider.op = op
  return { ...op, stop }
}

describe.each(Object.entries(SITES))('an application on %s', (_name, dependencies) => {
  let application: Application | undefined
  let site: Site
  let op: Awaited<ReturnType<typeof startIssuer>>
  beforeAll(async () => {
    application = await installInto('plain-next', [...dependencies, ...TYPES])
    op = await startIssuer()
    site = await startNext(application, { OP: op.url })
  }, 300_000)
  afterAll(async () => {
    await site?.stop()
    await op?.stop()
    application?.end()
  })

  test('redirects a visitor from a protected page to the sign-in page', async () => {
    const { status, headers } = await site.send('/account')
    expect(status).toBe(307)
    expect(headers.get('location')).toMatch(/\/api\/auth\/signin\?callbackUrl=/)
  })

  test('signs in through a server action, and every context reads the session', async () => {
    expect(await site.text('/')).toMatch(/Hello, (?:<!-- -->)?no user/)
    expect(await submit(site, '/', 'Sign in', { name: 'Ada' })).toMatch(/\/account$/)
    expect(await site.text('/account')).toMatch(/Account of (?:<!-- -->)?Ada/)
    expect(await site.text('/old')).toMatch(/Old: (?:<!-- -->)?Ada/)
    expect(await site.text('/api/me')).toBe('"Ada"')
    expect(JSON.parse(await site.text('/api/auth/session'))).toMatchObject({
      user: { name: 'Ada' },
    })
  })

  test('reads an access token from cookies, which the proxy, actions and routes refresh', async () => {
    const { csrfToken } = JSON.parse(await site.text('/api/auth/csrf'))
    const form = new URLSearchParams({ csrfToken, callbackUrl: '/account' })
    const { headers } = await site.send('/api/auth/signin/op', form)
    const { pathname, search } = new URL((await op.authorize(headers.get('location') ?? '')).url)
    await site.send(pathname + search)
    op.reset()
    const expire = () => new Promise((resolve) => setTimeout(resolve, TOKEN_LIFETIME * 1000 + 100))
    const shown = async (path: string) => /token:([\w-]+):/.exec(await site.text(path))?.[1]

    await expire()
    expect([await shown('/token'), op.requests.token]).toEqual(['read_only', 0])
    const token = await shown('/account/token')
    expect([await site.text('/api/token'), op.requests.token]).toEqual([token, 1])
    expect(token).toMatch(/^[\da-f-]{36}$/)
    await expire()
    const target = await submit(site, '/token', 'Refresh')
    const acted = new URL(target, 'http://localhost').searchParams.get('token')
    expect([await shown('/token'), op.requests.token]).toEqual([acted, 2])
    for (const [count, path] of [
      [3, '/api/token'],
      [4, '/api/old-token'],
    ] as const) {
      await expire()
      const refreshed = await site.text(path)
      expect([await shown('/token'), op.requests.token]).toEqual([refreshed, count])
    }
  })

  test('signs out through a server action', async () => {
    expect(await submit(site, '/', 'Sign out')).toMatch(/\/$/)
    expect(await site.text('/api/me')).toBe('null')
  })
})

/** Dependencies of applications on Node, by database client. */
const CLIENTS = {
  'Drizzle 0.34': { code: 'drizzle', packages: ['drizzle-orm@0.34.0', '@libsql/client@0.14.0'] },
  'Drizzle 0.44 and Prisma 6': {
    code: 'drizzle',
    packages: ['drizzle-orm@0.44.0', '@libsql/client@0.15.0', '@prisma/client@6.0.0'],
  },
  'Kysely 0.27': {
    code: 'kysely',
    packages: ['kysely@0.27.0', 'libsql@0.4.7', 'pg@8.11.0', 'mysql2@3.0.0', 'nodemailer@6.0.0'],
  },
} as const

// npm waits for the registry.
test.concurrent.each(Object.entries(CLIENTS))(
  'an application with %s compiles, and its adapter meets the contract',
  { timeout: 300_000 },
  async (_name, { code, packages }) => {
    const application = await installInto('old-database-clients', [...packages, '@types/node@20'])
    try {
      const { node } = application
      const commands = 'node_modules/lib-auth/dist/cli/index.js'
      if (code === 'kysely')
        await node(
          commands,
          'migrate',
          '--yes',
          '--with',
          'records,factors,passwords',
          '--url',
          'file:app.db',
        )
      await compile(application, `${code}.ts`)
      expect(await node('--test-reporter=tap', '--test', `${code}.js`)).toMatch(
        /^# pass (?:[5-9]|1\d)\d\n# fail 0$/m,
      )
    } finally {
      application.end()
    }
  },
)
