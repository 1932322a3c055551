/** A site in Cloudflare's runtime, with its users and sessions in D1. */
import { env } from 'cloudflare:workers'
import { Kysely } from 'kysely'
import { D1Dialect } from 'kysely-d1'
import KyselyAdapter from '../../../src/adapters/kysely.ts'
import type { KyselyAdapterOptions } from '../../../src/adapters/kysely.ts'
import { Auth } from '../../../src/index.ts'
import type { AuthConfig } from '../../../src/index.ts'
import { decode, encode } from '../../../src/jwt.ts'
import Passkey from '../../../src/providers/passkey.ts'
import { adapterCases } from '../../../src/testing/index.ts'

const db = new Kysely<object>({ dialect: new D1Dialect({ database: env.DB }) })

/** Whether the runtime has the modules of Node, which the library then uses. */
const hasNode = typeof globalThis.process?.getBuiltinModule === 'function'

/** Without `process`, the library cannot load the package itself. */
const simpleWebAuthn = () => import('@simplewebauthn/server')

/** The types of the errors that would have been logged. */
const errors: string[] = []

const config: AuthConfig = {
  adapter: KyselyAdapter(db, { transactions: false }),
  session: { strategy: env.STRATEGY },
  secret: 'a secret for tests, of more than 32 bytes',
  trustHost: true,
  experimental: { enableWebAuthn: true },
  logger: { error: ({ name }) => void errors.push(name), warn: console.warn },
  providers: [
    Passkey(hasNode ? {} : { simpleWebAuthn }),
    {
      id: 'password',
      name: 'Password',
      type: 'credentials',
      credentials: { email: {}, password: { type: 'password' } },
      createUser: true,
      authorize: ({ email, password }) =>
        password === 'correct horse battery staple' ? { email: String(email), name: 'Ada' } : null,
    },
    {
      id: 'email',
      name: 'E-mail',
      type: 'email',
      async sendVerificationRequest({ identifier, url }) {
        const body = JSON.stringify({ to: identifier, url })
        await fetch('https://mail.test', { method: 'POST', body })
      },
    },
    {
      id: 'op',
      name: 'Test OP',
      type: 'oidc',
      issuer: 'https://issuer.test',
      clientId: 'client',
      clientSecret: 'client secret',
    },
  ],
}

/** What a test asks for besides the site. */
interface Asked {
  /** A case of the contract of adapters, or a user, in tables of this form. */
  readonly options: KyselyAdapterOptions
  readonly name: string
  readonly id: string
  readonly sql: string
  /** A token that Node has made. */
  readonly token: string
}

const tokenKey = { secret: 'a secret for tests, of more than 32 bytes', salt: 'a salt' }

async function answer(path: string, { options, name, id, sql, token }: Asked): Promise<unknown> {
  if (path === '/node') return hasNode
  if (path === '/decode') return decode({ token, ...tokenKey })
  if (path === '/encode') return encode({ token: { sub: 'ada' }, ...tokenKey })
  if (path === '/errors') return errors.splice(0)
  if (path === '/statement') return (await env.DB.prepare(sql).all()).results
  const adapter = KyselyAdapter(db, { ...options, transactions: false })
  if (path === '/user') return adapter.getUser(id)
  const found = adapterCases.find((each) => each.name === name)
  if (!found) throw new Error(`There is no case ${name}.`)
  await found.run(adapter)
  return null
}

export default {
  async fetch(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url)
    if (pathname.startsWith('/auth')) return Auth(request, config)
    try {
      return Response.json(await answer(pathname, await request.json()))
    } catch (error) {
      return new Response(String(error), { status: 500 })
    }
  },
}
