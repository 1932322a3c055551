/** What browsers, mailboxes and databases have when a release is replaced: sessions, and what users have begun. */
import { createPrivateKey } from 'node:crypto'
import { vi } from 'vitest'
import { appCode } from '../core/factors/app-code.ts'
import { createAuthenticator } from '../core/flows/webauthn/authenticator.ts'
import type { CeremonyOptions, OptionsReply } from '../core/flows/webauthn/site.ts'
import { hiddenFields } from '../email.ts'
import { requestOf, valueOf } from '../core/account/account-site.ts'
import type { AuthConfig } from '../../src/index.ts'
import { LONGEST_IDLE, PROXY } from './site.ts'
import type { Site, SiteName } from './site.ts'

/** What users keep besides cookies and rows, such as the link in a mail. */
export type Kept = Readonly<Record<string, string>>

export interface SessionCase {
  readonly kind: 'session'
  readonly site: SiteName
  /** The site of the later release, with another configuration. @default the same */
  readonly laterSite?: SiteName
  readonly begin: (site: Site) => Promise<void>
  /** Seconds without a request until the session ends. */
  readonly lasts: number
  /** Seconds until it ends, however much it is used. */
  readonly ends?: number
}

export interface StepCase {
  readonly kind: 'step'
  readonly site: SiteName
  readonly begin: (site: Site) => Promise<Kept>
  /** Signs in, or has another effect; returns whether it did. */
  readonly finish: (site: Site, kept: Kept) => Promise<boolean>
  /** Seconds; `null`: until the browser is closed. */
  readonly lasts: number | null
}

/** What was ended or used before the release was replaced, and must not come back. */
export interface SpentCase {
  readonly kind: 'spent'
  readonly site: SiteName
  readonly begin: (site: Site) => Promise<Kept>
  /** Returns whether it signs in after all. */
  readonly retry: (site: Site, kept: Kept) => Promise<boolean>
  /** Returns whether the user can sign in with what was not used: then it is not refused for another reason. */
  readonly counterpart?: (site: Site, kept: Kept) => Promise<boolean>
}

const DAY = 24 * 60 * 60
const ADA = { sub: 'ada', name: 'Ada', email: 'ada@example.com', email_verified: true }
/** Clocks may differ by 15 seconds more than in other cases. */
const CEREMONY = 315
const PASSWORD = 'a pound of purple plums'

function session(
  site: SiteName,
  more: Partial<SessionCase> & { username?: string } = {},
): SessionCase {
  const { username = 'ada', ...others } = more
  const begin = async ({ tab }: Site) => void (await tab.post('callback/guest', { username }))
  return { kind: 'session', site, begin, lasts: LONGEST_IDLE, ...others }
}

const step = (
  begin: StepCase['begin'],
  finish: StepCase['finish'],
  lasts: number | null,
  site: SiteName = 'revocable',
): StepCase => ({
  kind: 'step',
  site,
  begin,
  finish,
  lasts,
})

const spent = (
  begin: SpentCase['begin'],
  retry: SpentCase['retry'],
  counterpart?: SpentCase['counterpart'],
): SpentCase => ({
  kind: 'spent',
  site: 'revocable',
  begin,
  retry,
  ...(counterpart && { counterpart }),
})

const isSignedIn = async ({ tab }: Site) => (await tab.session())?.user !== undefined

async function begunAt({ tab }: Site, provider: string): Promise<Kept> {
  return { url: (await tab.begin(provider)).url.href }
}

async function comeBack(site: Site, { url = '' }: Kept): Promise<boolean> {
  const answer = await site.op.authorize(url, ADA)
  const posted = await site.tab.request(answer.url, {
    initiator: 'cross-site',
    ...(answer.form && { method: 'POST', form: answer.form }),
  })
  const location = posted.headers.get('location') ?? ''
  if (answer.form) await site.tab.request(location, { initiator: 'cross-site' })
  return isSignedIn(site)
}

/** The redirect proxy is registered with the provider, and forwards the browser. */
async function comeBackThroughProxy(site: Site, { url = '' }: Kept): Promise<boolean> {
  const { tab, op, config, library } = site
  const options = { ...config, redirectProxyAllowedOrigins: [tab.origin] }
  const proxy = library.testing.browser(options, { origin: PROXY })
  const answer = await op.authorize(url, ADA)
  const forwarded = await proxy.request(answer.url, { initiator: 'cross-site' })
  const location = forwarded.headers.get('location') ?? ''
  await tab.request(location, { initiator: 'cross-site' })
  return isSignedIn(site)
}

const REFRESH_TOKEN = 'a refresh token of the provider'

async function storeTokens({ tab, op, config, library }: Site): Promise<Kept> {
  op.misbehaviour.token = (body) => ({ ...body, refresh_token: REFRESH_TOKEN })
  await tab.signIn('op', ADA)
  const { value } = await library.core.getAccessToken(requestOf(tab), config, 'op')
  return { accessToken: value.accessToken }
}

/** Whether the access token is still that of the sign-in, and the refresh token, which is sent on demand. */
async function hasTokens(
  { tab, op, config, library }: Site,
  { accessToken }: Kept,
): Promise<boolean> {
  let sent = ''
  const fetch: typeof op.fetch = async (input, init) => {
    const request = new Request(input, init)
    const body = new URLSearchParams(await request.clone().text())
    if (body.get('grant_type') !== 'refresh_token') return op.fetch(request)
    sent = body.get('refresh_token') ?? ''
    return Response.json({ access_token: 'the next', token_type: 'Bearer' })
  }
  const read = (refresh: 'when-due' | 'now') =>
    library.core
      .getAccessToken(requestOf(tab), { ...config, fetch }, 'op', { refresh })
      .then(({ value }) => value.accessToken)
      .catch(() => null)
  const isSame = (await read('when-due')) === accessToken
  await read('now')
  return isSame && sent === REFRESH_TOKEN
}

/** A session that begins in the moment in which all others end would end with them. */
const passSecond = () => void vi.setSystemTime(Date.now() + 1000)

const newestMail = ({ mails }: Site): Kept => ({ url: mails.at(-1) ?? '' })
const tokenIn = (url = '') => new URL(url).searchParams.get('token') ?? ''

const adapterOf = async ({ adapter }: AuthConfig) =>
  typeof adapter === 'function' ? adapter() : adapter

/** A user with a password, who is not signed in. */
async function createAda({ config, library }: Site): Promise<string> {
  const adapter = await adapterOf(config)
  const { email, name } = ADA
  const row = { id: 'ada', name, email, emailVerified: new Date(0), image: null }
  const user = await adapter?.createUser?.(row)
  const hash = await library.password.hashPassword(PASSWORD)
  await adapter?.setPassword?.(user?.id ?? '', { hash, changed: new Date(0) })
  return user?.id ?? ''
}

/** A copy of the session cookies, as a thief has it. */
const stolenFrom = ({ tab }: Site): Kept =>
  Object.fromEntries(
    tab.cookies.all().flatMap(({ name, value }) => (/session/.test(name) ? [[name, value]] : [])),
  )

async function useStolen(site: Site, stolen: Kept): Promise<boolean> {
  for (const [name, value] of Object.entries(stolen)) site.tab.cookies.set(name, value)
  return isSignedIn(site)
}

/** Adds an authenticator app for Ada, who is signed in. The code of the moment is unused. */
async function addApp({ tab, config, library }: Site): Promise<string> {
  const request = () => requestOf(tab)
  const { id, secret } = await valueOf(tab, library.factors.enrollFactor(request(), config))
  const code = await appCode(secret, -1)
  await valueOf(tab, library.factors.confirmFactor(request(), config, { id, code }))
  return secret
}

const signIn = ({ tab }: Site, password = PASSWORD) =>
  tab.post('callback/password', { email: ADA.email, password })

const NEW_PASSWORD = `${PASSWORD} again`

/** Ada, who has entered her password and is asked for a code of her app. */
async function beginSecondStep(site: Site): Promise<string> {
  await createAda(site)
  await signIn(site)
  const secret = await addApp(site)
  await site.tab.post('signout')
  passSecond()
  await signIn(site)
  return secret
}

async function enterCode(site: Site, code: string): Promise<boolean> {
  await site.tab.post('step-up', { code })
  return isSignedIn(site)
}

async function requestPasskey({ tab }: Site, query: Record<string, string>): Promise<Kept> {
  const url = `webauthn-options/passkey?${new URLSearchParams(query)}`
  return { options: await (await tab.request(url)).text() }
}

/** Sends the response of an authenticator. */
async function answerPasskey(
  site: Site,
  { options = '' }: Kept,
  sign: (options: CeremonyOptions) => object,
): Promise<boolean> {
  const parsed = JSON.parse(options) as OptionsReply
  const data = JSON.stringify(sign(parsed.options))
  await site.tab.post('callback/passkey', { action: parsed.action, data })
  return isSignedIn(site)
}

async function requestReset(site: Site): Promise<Kept> {
  await site.tab.post('password/forgot', { email: ADA.email })
  return newestMail(site)
}

const reset = ({ tab }: Site, { url }: Kept) =>
  tab.post('password/reset', { token: tokenIn(url), password: NEW_PASSWORD })

async function enterPassword(site: Site, password: string): Promise<boolean> {
  passSecond()
  await signIn(site, password)
  return isSignedIn(site)
}

async function openLink(site: Site, { url = '' }: Kept): Promise<boolean> {
  await site.tab.request(url, { initiator: 'cross-site' })
  return isSignedIn(site)
}

async function requestLink(site: Site): Promise<Kept> {
  await site.tab.post('signin/email', { email: ADA.email })
  return newestMail(site)
}

export const CASES: Readonly<Record<string, SessionCase | StepCase | SpentCase>> = {
  'session in one cookie': session('jwt'),
  'session in two cookies': session('jwt', { username: 'two' }),
  'session in three cookies': session('jwt', { username: 'three' }),
  'session near the limit': session('jwt', { username: 'large' }),
  'session over http': session('http'),
  'session of a domain': session('domain'),
  'session with a name of the application': session('named'),
  'session of the newest secret': session('newest'),
  'session of the second secret': session('second', { laterSite: 'newest' }),
  'session of the oldest secret': session('oldest', { laterSite: 'newest' }),
  'session with facts': session('kept'),
  'session with an absolute timeout': session('absolute', { ends: 40 * DAY }),
  'session that ends with the browser': session('lifetime', {
    begin: async ({ tab }) => {
      await tab.post('callback/guest', { username: 'ada', remember: 'false' })
    },
    lasts: DAY,
  }),
  'session that can be revoked': session('revocable'),
  ...Object.fromEntries(
    (['database', 'hashed'] as const).map((name) => [
      `session in a database, ${name}`,
      session(name, { begin: async ({ tab }) => void (await tab.signIn('op', ADA)) }),
    ]),
  ),
  'sign-in at a provider': step((site) => begunAt(site, 'op'), comeBack, 600),
  'sign-in at a provider that posts': step((site) => begunAt(site, 'posted'), comeBack, 600),
  'magic link': step(requestLink, openLink, DAY),
  'registration of a passkey': step(
    (site) => requestPasskey(site, { action: 'register', email: ADA.email }),
    (site, kept) => answerPasskey(site, kept, (options) => createAuthenticator().create(options)),
    CEREMONY,
  ),
  'second step': step(
    async (site) => ({ secret: await beginSecondStep(site) }),
    async (site, { secret = '' }) => enterCode(site, await appCode(secret)),
    600,
  ),
  'sign-up with a password': step(
    async (site) => {
      await site.tab.post('password/sign-up', {
        email: ADA.email,
        name: ADA.name,
        password: PASSWORD,
      })
      return newestMail(site)
    },
    openLink,
    DAY,
  ),
  'reset of a password': step(
    async (site) => {
      await createAda(site)
      return requestReset(site)
    },
    async (site, kept) => {
      await reset(site, kept)
      return enterPassword(site, NEW_PASSWORD)
    },
    1800,
  ),
  'change of the address': step(
    async (site) => {
      await createAda(site)
      await signIn(site)
      const { tab, config, library } = site
      site.mails.length = 0
      await valueOf(tab, library.account.changeEmail(requestOf(tab), config, 'new@example.com'))
      return { urls: JSON.stringify(site.mails) }
    },
    async ({ tab, config }, { urls = '[]' }) => {
      for (const url of JSON.parse(urls) as string[])
        await tab.post('confirm', { token: tokenIn(url) })
      const adapter = await adapterOf(config)
      return (await adapter?.getUserByEmail?.('new@example.com')) !== null
    },
    3600,
  ),
  'session that has ended': spent(async (site) => {
    await site.tab.post('callback/guest', { username: 'ada' })
    const stolen = stolenFrom(site)
    await site.tab.post('signout')
    return stolen
  }, useStolen),
  'session from before a reset of the password': spent(async (site) => {
    await createAda(site)
    await signIn(site)
    const stolen = stolenFrom(site)
    for (const name of Object.keys(stolen)) site.tab.cookies.delete(name)
    await reset(site, await requestReset(site))
    return stolen
  }, useStolen),
  'magic link that was used': spent(async (site) => {
    const kept = await requestLink(site)
    if (!(await openLink(site, kept))) throw new Error('The link was not accepted.')
    await site.tab.post('signout')
    return kept
  }, openLink),
  'code of an app that was used': spent(
    async (site) => {
      const secret = await beginSecondStep(site)
      const code = await appCode(secret)
      if (!(await enterCode(site, code))) throw new Error('The code was not accepted.')
      await site.tab.post('signout')
      passSecond()
      await signIn(site)
      return { code, secret }
    },
    (site, { code = '' }) => enterCode(site, code),
    async (site, { secret = '' }) => enterCode(site, await appCode(secret, 1)),
  ),
  'former password': spent(
    async (site) => {
      await createAda(site)
      await reset(site, await requestReset(site))
      return {}
    },
    (site) => enterPassword(site, PASSWORD),
    (site) => enterPassword(site, NEW_PASSWORD),
  ),
  'sign-in at a provider without OpenID Connect': step(
    (site) => begunAt(site, 'plain'),
    comeBack,
    600,
    'methods',
  ),
  'sign-in through the redirect proxy': step(
    (site) => begunAt(site, 'op'),
    comeBackThroughProxy,
    600,
    'preview',
  ),
  'code in a mail': step(
    async (site) => {
      await site.tab.post('signin/code', { email: ADA.email })
      return { code: site.mails.at(-1) ?? '' }
    },
    async (site, { code = '' }) => {
      await site.tab.post('callback/code', { code })
      return isSignedIn(site)
    },
    600,
    'methods',
  ),
  'sign-in with a passkey': step(
    async (site) => {
      const passkey = createAuthenticator()
      const registration = await requestPasskey(site, { action: 'register', email: ADA.email })
      await answerPasskey(site, registration, (options) => passkey.create(options))
      await site.tab.post('signout')
      return {
        ...(await requestPasskey(site, { action: 'authenticate' })),
        id: passkey.id.toString('base64url'),
        key: passkey.key.export({ type: 'pkcs8', format: 'pem' }).toString(),
      }
    },
    (site, { id = '', key = '', ...kept }) => {
      const credentialId = Buffer.from(id, 'base64url')
      const signedBy = createPrivateKey(key)
      return answerPasskey(site, kept, (options) =>
        createAuthenticator().get(options, { credentialId, signedBy }),
      )
    },
    CEREMONY,
  ),
  'step-up': step(
    async (site) => {
      await createAda(site)
      await signIn(site)
      const page = await site.tab.request('step-up?callbackUrl=/settings')
      return { stepUp: hiddenFields(await page.text())['stepUp'] ?? '' }
    },
    async ({ tab }, { stepUp = '' }) => {
      const fields = { email: ADA.email, password: PASSWORD, callbackUrl: '/settings' }
      const { headers } = await tab.post('callback/password', { ...fields, stepUp })
      return headers.get('location') === 'https://app.test/settings'
    },
    900,
  ),
  'return URL': step(
    async ({ tab }) => {
      await tab.request('signin?callbackUrl=/members')
      return {}
    },
    async ({ tab }) => {
      const { headers } = await tab.post('callback/guest', { username: 'ada' })
      return headers.get('location') === 'https://app.test/members'
    },
    null,
  ),
  'known browser': step(
    async (site) => {
      await openLink(site, await requestLink(site))
      await site.tab.post('signout')
      return {}
    },
    async (site) => {
      const stranger = site.library.testing.browser(site.config)
      for (let count = 0; count < 4; count++)
        await stranger.post('signin/email', { email: ADA.email })
      const sent = site.mails.length
      await requestLink(site)
      return site.mails.length > sent
    },
    180 * DAY,
  ),
  'tokens of a provider, sealed in the row of the account': step(
    storeTokens,
    hasTokens,
    3600 - 60,
    'sealed',
  ),
  'tokens of a provider, in a cookie': step(storeTokens, hasTokens, 3600 - 60, 'tokens'),
  'CSRF token': step(
    async ({ tab }) => ({ csrfToken: await tab.csrfToken() }),
    async (site, { csrfToken = '' }) => {
      const form = { csrfToken, username: 'ada' }
      await site.tab.request('callback/guest', { method: 'POST', form })
      return isSignedIn(site)
    },
    null,
  ),
}
