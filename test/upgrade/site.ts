/** The sites whose cookies and rows a release freezes. Their configurations stay as they are: add another one instead. */
import type { AuthConfig, JWT } from '../../src/index.ts'
import type { Browser, Issuer } from '../../src/testing/index.ts'
import type { AccountMail } from '../../src/core/mail/account-mail.ts'
import { silentLog } from '../config.ts'
import type { Log } from '../config.ts'
import { dumpRows, openDatabase, OPTIONS, runAll, tablesOf } from './databases.ts'
import type { FrozenDatabase, FrozenDialect } from './databases.ts'
import type { Library } from './library.ts'

const SECRETS = ['the newest', 'the second', 'the oldest'].map(
  (name) => `${name} secret of the sites that a release freezes`,
)
const [NEWEST = '', SECOND = '', OLDEST = ''] = SECRETS

const DAY = 24 * 60 * 60
export const LONGEST_IDLE = 30 * DAY

/** Characters of the claim `more`, by user name. */
const SIZES: Readonly<Record<string, number>> = { two: 3000, three: 5500, large: 8200 }

/** The redirect proxy of the site `preview`. */
export const PROXY = 'https://auth.example.test'

type Options = Partial<AuthConfig>

/** What each site has besides what all have. */
const SITES = {
  jwt: {},
  http: {},
  domain: { cookies: { sessionToken: { options: { domain: 'app.test' } } } },
  named: { cookies: { sessionToken: { name: 'own-session' } } },
  newest: { secret: SECRETS },
  second: { secret: [SECOND] },
  oldest: { secret: [OLDEST] },
  other: { secret: ['the secret of another site, which opens nothing here'] },
  kept: { session: { strategy: 'jwt', assurance: 'kept' } },
  absolute: { session: { strategy: 'jwt', absoluteMaxAge: 40 * DAY } },
  lifetime: {
    session: {
      strategy: 'jwt',
      lifetime: ({ remember }) => (remember === false ? { idle: DAY, keep: false } : {}),
    },
  },
  revocable: { session: { strategy: 'jwt', revocation: {} } },
  database: { session: { strategy: 'database' } },
  hashed: { session: { strategy: 'database', hashTokens: true } },
  methods: {},
  preview: { redirectProxyUrl: `${PROXY}/auth` },
  sealed: { tokens: { where: 'account' } },
  tokens: { tokens: { where: 'cookie' } },
} as const satisfies Readonly<Record<string, Options>>

export type SiteName = keyof typeof SITES

/** Those with a database, and with all kinds of providers. */
const STORING: ReadonlySet<SiteName> = new Set([
  'jwt',
  'database',
  'hashed',
  'revocable',
  'methods',
  'preview',
  'sealed',
  'tokens',
])

/** What lasts as long as the session, of which only the size is compared if it is large. */
export function claimsOf({ iat: _iat, exp: _exp, jti: _jti, more, ...claims }: JWT): object {
  return { ...claims, ...(typeof more === 'string' && { more: more.length }) }
}

export interface Site {
  readonly library: Library
  readonly config: AuthConfig
  readonly log: Log
  readonly op: Issuer
  /** URLs of magic links, codes and links of mails about accounts, the newest last. */
  readonly mails: string[]
  readonly tab: Browser
  /** Statements that insert the rows of the database. */
  dump(): Promise<string[]>
  close(): Promise<void>
}

const keyPair = { algorithm: 'ES256' } as const

/** What processes of one site share. */
export interface Backend {
  readonly op: Issuer
  readonly database: FrozenDatabase
  readonly mails: string[]
}

/** @param statements - tables and rows of a release. @default empty tables */
export async function openBackend(
  library: Library,
  dialect: FrozenDialect,
  statements: readonly string[] = tablesOf(dialect),
): Promise<Backend> {
  const database = await openDatabase(dialect)
  await runAll(database, statements)
  return { op: await library.testing.issuer(keyPair), database, mails: [] }
}

/** @param from - tables and rows of a release, or what another process of the site uses. @default empty tables */
export async function openSite(
  library: Library,
  name: SiteName,
  from: readonly string[] | Backend = tablesOf('sqlite'),
): Promise<Site> {
  const backend = 'op' in from ? from : await openBackend(library, 'sqlite', from)
  const { op, database, mails } = backend
  const { log, logger } = silentLog()
  const options: Options = SITES[name]
  const stores = STORING.has(name)
  const adapter = library.kysely.default(database.db, OPTIONS)
  const provider = { issuer: op.url, clientId: op.clientId, clientSecret: op.clientSecret }
  const config: AuthConfig = {
    ...(stores && { adapter }),
    session: { strategy: 'jwt' },
    secret: NEWEST,
    trustHost: true,
    fetch: op.fetch,
    logger,
    providers: [
      {
        id: 'guest',
        name: 'Guest',
        type: 'credentials',
        credentials: { username: {} },
        authorize: ({ username }) => ({
          id: 'ada',
          name: 'Ada',
          email: `${String(username)}@a.test`,
        }),
      },
      ...(stores
        ? [
            { ...provider, id: 'op', name: 'OP', type: 'oidc' as const },
            {
              ...provider,
              id: 'posted',
              name: 'OP that posts',
              type: 'oidc' as const,
              authorization: { params: { scope: 'openid', response_mode: 'form_post' } },
            },
            {
              id: 'email',
              name: 'Email',
              type: 'email' as const,
              sendVerificationRequest: ({ url }: { url: string }) => void mails.push(url),
            },
            library.passkey.default(),
            library.password.Password(),
          ]
        : []),
      ...(name === 'methods'
        ? [
            {
              id: 'plain',
              name: 'OAuth 2.0',
              type: 'oauth' as const,
              authorization: `${op.url}/authorize`,
              token: `${op.url}/token`,
              userinfo: `${op.url}/userinfo`,
              clientId: op.clientId,
              clientSecret: op.clientSecret,
            },
            {
              id: 'code',
              name: 'Code',
              type: 'email' as const,
              method: 'code' as const,
              sendVerificationRequest: ({ code = '' }: { code?: string | undefined }) =>
                void mails.push(code),
            },
          ]
        : []),
    ],
    ...(stores && {
      account: { send: ({ url = '' }: AccountMail) => void mails.push(url) },
      secondStep: {},
      experimental: { enableWebAuthn: true },
    }),
    callbacks: {
      jwt({ token, user, trigger }) {
        const [person = ''] = user?.email?.split('@') ?? []
        const more = SIZES[person]
        if (trigger !== 'signIn') return token
        return { ...token, role: 'reader', ...(more && { more: 'x'.repeat(more) }) }
      },
      session: ({ session, token }) =>
        options.session?.strategy === 'database'
          ? session
          : { ...session, claims: claimsOf(token) },
    },
    ...options,
  }
  const origin = name === 'http' ? 'http://localhost:3000' : 'https://app.test'
  return {
    library,
    config,
    log,
    op,
    mails,
    tab: library.testing.browser(config, { issuer: op, origin }),
    dump: () => dumpRows(database),
    close: () => database.db.destroy(),
  }
}
