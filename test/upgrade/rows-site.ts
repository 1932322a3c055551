/** The site whose users have the rows that a release freezes: what they do before the release is replaced, and after it. */
import { createPrivateKey } from 'node:crypto'
import type { JsonWebKey } from 'node:crypto'
import type { AuthConfig } from '../../src/index.ts'
import type { Browser, Issuer } from '../../src/testing/index.ts'
import { requestOf, valueOf } from '../core/account/account-site.ts'
import { silentLog } from '../config.ts'
import type { Log } from '../config.ts'
import { appCode } from '../core/factors/app-code.ts'
import { createAuthenticator } from '../core/flows/webauthn/authenticator.ts'
import { authenticate, register } from '../core/flows/webauthn/site.ts'
import type { Library } from './library.ts'
import type { FullAdapter, RowUser } from './rows.ts'

/** Redis deletes at its end what was frozen. */
const CENTURY = 100 * 365 * 24 * 60 * 60
const SECRET = 'the secret of the site whose rows a release freezes'

export interface RowsSite {
  readonly library: Library
  readonly adapter: FullAdapter
  readonly config: AuthConfig
  readonly log: Log
  readonly op: Issuer
  /** URLs of magic links, the newest last. */
  readonly mails: string[]
  readonly openTab: () => Browser
}

/** Session cookies in the database are hashed, tokens of providers sealed, and an app is asked for. */
export async function openRowsSite(
  adapter: FullAdapter,
  library: Library,
  session: AuthConfig['session'] = { strategy: 'database', hashTokens: true },
): Promise<RowsSite> {
  const op = await library.testing.issuer({ algorithm: 'ES256', accessTokenLifetime: CENTURY })
  const { logger, log } = silentLog()
  const mails: string[] = []
  const provider = {
    issuer: op.url,
    clientId: op.clientId,
    clientSecret: op.clientSecret,
    type: 'oidc' as const,
  }
  const params = { scope: 'openid', response_mode: 'form_post' }
  const config: AuthConfig = {
    adapter,
    providers: [
      { ...provider, id: 'op', name: 'OP' },
      { ...provider, id: 'posted', name: 'OP that posts', authorization: { params } },
      { ...provider, id: 'sealed', name: 'OP whose tokens are kept' },
      {
        id: 'email',
        name: 'Email',
        type: 'email',
        maxAge: CENTURY,
        sendVerificationRequest: ({ url }: { url: string }) => void mails.push(url),
      },
      library.passkey.default(),
      library.password.Password(),
    ],
    account: { send: () => undefined },
    session: { maxAge: CENTURY, ...session },
    tokens: { where: 'account' },
    secondStep: {},
    experimental: { enableWebAuthn: true },
    callbacks: {
      session: ({ session: given, user, token }) => ({
        ...given,
        user: { ...given.user, id: user?.id ?? token?.sub },
      }),
    },
    secret: SECRET,
    trustHost: true,
    fetch: op.fetch,
    logger,
  }
  const openTab = () => library.testing.browser(config, { issuer: op })
  return { library, adapter, config, log, op, mails, openTab }
}

type Cookies = Readonly<Record<string, string>>

/** What users keep in browsers, mailboxes and apps. */
export interface KeptOfRows {
  readonly ids: Readonly<Record<string, string>>
  /** Of the one who is {@link ACTIVE}. */
  readonly cookies: Cookies
  readonly accessToken: string
  readonly key: JsonWebKey
  readonly link: string
  readonly secret: string
  readonly recoveryCodes: readonly string[]
  /** Cookies of a session of a token that goes on, and of one that has ended. */
  readonly tokens: { readonly live: Cookies; readonly ended: Cookies }
}

export const withCookies = (tab: Browser, cookies: Cookies): Browser => {
  for (const [name, value] of Object.entries(cookies)) tab.cookies.set(name, value)
  return tab
}

const sessionOf = (tab: Browser): Cookies =>
  Object.fromEntries(
    tab.cookies.all().flatMap(({ name, value }) => (/session/.test(name) ? [[name, value]] : [])),
  )

/** The user with what only requests can write. */
export const ACTIVE = 'emoji'
const credentialId = Buffer.from('the passkey of a user')

const fieldsOf = (label: string, email: string) => ({
  email,
  password: `the password of ${label}`,
})

const person = (provider: string, [label, name, email]: RowUser) => ({
  sub: `${provider}:${label}`,
  name,
  email: email ?? undefined,
})

/** What users do before the release is replaced. */
export async function useRowsSite(
  adapter: FullAdapter,
  library: Library,
): Promise<Omit<KeptOfRows, 'ids'>> {
  const { config, mails, openTab } = await openRowsSite(adapter, library)
  const { enrollFactor, confirmFactor } = library.factors
  const tab = openTab()
  await tab.signIn('sealed', { sub: `sealed:${ACTIVE}` })
  const passkey = createAuthenticator()
  await register(tab, passkey, { credentialId })
  const request = () => requestOf(tab)
  const token = library.core.getAccessToken(request(), config, 'sealed')
  const { accessToken } = await valueOf(tab, token)
  const { id, secret } = await valueOf(tab, enrollFactor(request(), config))
  const confirmed = confirmFactor(request(), config, { id, code: await appCode(secret, -1) })
  const { recoveryCodes } = await valueOf(tab, confirmed)
  await openTab().post('signin/email', { email: 'emoji@example.com' })
  await openTab().post('callback/password', { email: "o'brien@example.com", password: 'wrong' })
  const tokens = await openRowsSite(adapter, library, { strategy: 'jwt', revocation: {} })
  const signInAda = async () => {
    const own = tokens.openTab()
    await own.post('callback/password', fieldsOf('ada', 'ada@example.com'))
    return { own, cookies: sessionOf(own) }
  }
  const { cookies: live } = await signInAda()
  const { own: other, cookies: ended } = await signInAda()
  await other.post('signout')
  return {
    cookies: sessionOf(tab),
    accessToken,
    key: passkey.key.export({ format: 'jwk' }),
    link: mails.at(-1) ?? '',
    secret,
    recoveryCodes,
    tokens: { live, ended },
  }
}

type Method = (tab: Browser) => Promise<unknown>

/** The ways in which a user can sign in. */
export function methodsOf(
  { mails }: RowsSite,
  user: RowUser,
  { key, link }: KeptOfRows,
): Readonly<Record<string, Method>> {
  const [label, , email] = user
  const isActive = label === ACTIVE
  const signedBy = createPrivateKey({ key, format: 'jwk' })
  const passkey = createAuthenticator()
  const provider = (id: string) => (tab: Browser) => tab.signIn(id, person(id, user))
  /** The page that asks in a browser which did not request the link. */
  const confirm = (tab: Browser, url = '') =>
    tab.post('callback/email', Object.fromEntries(new URL(url).searchParams))
  return {
    op: provider('op'),
    posted: provider('posted'),
    sealed: provider('sealed'),
    ...(isActive && {
      passkey: (tab) => authenticate(tab, passkey, { signedBy, credentialId }),
    }),
    // What users enter is compared in lower case, with the domain in ASCII.
    ...(email !== null &&
      !/[A-Z]|[^ -~]/.test(email) && {
        password: (tab) => tab.post('callback/password', fieldsOf(label, email)),
        ...(isActive && { 'link of before': (tab) => confirm(tab, link) }),
        'new link': async (tab) => {
          await tab.post('signin/email', { email })
          return confirm(tab, mails.at(-1))
        },
      }),
  }
}
