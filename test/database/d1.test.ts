/** Cloudflare's D1, in Cloudflare's runtime: the adapter over it, and the library itself in there. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { KyselyAdapterOptions } from '../../src/adapters/kysely.ts'
import { createTables } from '../../src/cli/database/create-tables.ts'
import { adapterCases, issuer } from '../../src/testing/index.ts'
import { startWorker } from '../apps/d1/index.ts'
import type { RunningWorker } from '../apps/d1/index.ts'
import { hiddenFields } from '../email.ts'
import { visitor } from '../origin/visitor.ts'
import type { Answer } from '../origin/visitor.ts'
import { findWorkerd } from '../services.ts'

/** What tables can look like. */
const FORMS = [
  { ids: 'text' },
  {
    ids: 'integer',
    columns: 'snake_case',
    tables: {
      users: 'my people',
      accounts: 'my accounts',
      sessions: 'my sessions',
      verificationTokens: 'my tokens',
      authenticators: 'my passkeys',
    },
  },
] as const satisfies KyselyAdapterOptions[]

const op = await issuer({ algorithm: 'ES256', clientSecret: 'client secret' })
const links = new Map<string, string>()

/** All that the worker can reach. */
async function outside(request: Request): Promise<Response> {
  if (new URL(request.url).origin === op.url) return op.fetch(request)
  const { to, url }: { to: string; url: string } = await request.json()
  links.set(to, url)
  return new Response()
}

/** A browser on the site in the worker. */
function open(origin: string) {
  const person = visitor({ origin, port: Number(new URL(origin).port) })

  async function post(route: string, fields: Readonly<Record<string, string>> = {}) {
    const csrf: { csrfToken: string } = JSON.parse((await person.send('/auth/csrf')).text)
    const body = new URLSearchParams({ ...csrf, ...fields })
    return person.send(`/auth/${route}`, { method: 'POST', body })
  }

  const get = ({ pathname, search }: URL) => person.send(pathname + search)

  return {
    post,
    enter: (email: string, password = 'correct horse battery staple') =>
      post('callback/password', { email, password }),
    async signIn(who: { readonly sub: string; readonly email: string }) {
      const { location } = await post('signin/op')
      const { url } = await op.authorize(location ?? '', who)
      return get(new URL(url))
    },
    async requestLink(email: string) {
      await post('signin/email', { email })
      return new URL(links.get(email) ?? '')
    },
    async follow(link: URL): Promise<Answer> {
      const page = await get(link)
      if (page.status !== 200) return page
      const [, action = ''] = /<form action="([^"]*)"/.exec(page.text) ?? []
      const body = new URLSearchParams(hiddenFields(page.text))
      return person.send(new URL(action, origin).pathname, { method: 'POST', body })
    },
    async email(): Promise<string | undefined> {
      const { status, text } = await person.send('/auth/session')
      expect(status).toBe(200)
      return JSON.parse(text)?.user.email
    },
  }
}

if (await findWorkerd()) describe('D1', testD1)
else test.skip('without workerd')

function testD1(): void {
  let folder: string
  let worker: RunningWorker | undefined
  let origin: string

  beforeAll(async () => {
    // The runtime has its database in there, and does not wait until that is deleted.
    folder = mkdtempSync(join(tmpdir(), 'lib-auth-d1-'))
    vi.stubEnv('TMPDIR', folder)
    worker = await startWorker(outside).finally(() => vi.unstubAllEnvs())
    origin = worker.origin
  })

  afterAll(async () => {
    await worker?.end()
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  })

  async function ask(path: string, told: object = {}): Promise<unknown> {
    const response = await fetch(origin + path, { method: 'POST', body: JSON.stringify(told) })
    if (!response.ok) throw new Error(await response.text())
    return response.json()
  }

  const run = (sql: string) => ask('/statement', { sql })

  for (const options of FORMS)
    describe(`with ids of type ${options.ids}`, () => {
      beforeAll(async () => {
        for (const { statement } of createTables({ ...options, dialect: 'sqlite' }))
          await run(statement)
      })

      for (const { name, needs } of adapterCases)
        if (!needs.includes('transaction')) test(name, () => ask('/case', { name, options }))

      test('an id that D1 cannot count to is nobody’s', async () => {
        expect(await ask('/user', { id: '9223372036854775807', options })).toBeNull()
      })
    })

  describe('on a site inside', () => {
    test('a password signs in, and signing out ends the session', async () => {
      const [tab, other] = [open(origin), open(origin)]
      await tab.enter('ada@example.com', 'wrong')
      expect(await tab.email()).toBeUndefined()
      await tab.enter('ada@example.com')
      await other.enter('ada@example.com')
      expect(await tab.email()).toBe('ada@example.com')
      await tab.post('signout')
      expect(await tab.email()).toBeUndefined()
      expect(await other.email()).toBe('ada@example.com')
      expect(await ask('/errors')).toEqual(['CredentialsSignin'])
    })

    test('a link signs in, once', async () => {
      const [tab, other] = [open(origin), open(origin)]
      const link = await tab.requestLink('grace@example.com')
      await tab.follow(link)
      expect(await tab.email()).toBe('grace@example.com')
      expect((await other.follow(link)).location?.search).toBe('?error=Verification')
      expect(await other.email()).toBeUndefined()
      expect(await ask('/errors')).toEqual(['Verification'])
    })

    test('many sign in at a provider at once, and come back as the same users', async () => {
      const people = Array.from({ length: 20 }, (_, index) => {
        const sub = `many-${index}`
        return { sub, email: `${sub}@example.com` }
      })
      for (let time = 0; time < 2; time++) {
        const known = people.map(async (person) => {
          const tab = open(origin)
          await tab.signIn(person)
          return tab.email()
        })
        expect(await Promise.all(known)).toEqual(people.map(({ email }) => email))
      }
      const users = `select count(*) as users from users where email like 'many-%'`
      expect(await run(users)).toEqual([{ users: people.length }])
      expect(await ask('/errors')).toEqual([])
    })

    test('a user whose account cannot be stored is taken back', async () => {
      await run(
        `create trigger refuse before insert on accounts begin select raise(abort, 'refused'); end`,
      )
      const person = { sub: 'edith', email: 'edith@example.com' }
      const { location } = await open(origin).signIn(person)
      expect(location?.search).toBe('?error=TemporarilyUnavailable')
      expect(await run(`select * from users where email = '${person.email}'`)).toEqual([])
      expect(await ask('/errors')).toEqual(['AdapterError'])
      await run('drop trigger refuse')
      const tab = open(origin)
      await tab.signIn(person)
      expect(await tab.email()).toBe(person.email)
    })
  })
}
