/** What browsers, mailboxes and databases have when a release is replaced: sessions, and what users have begun. */
import { vi } from 'vitest'
import { appCode } from '../core/factors/app-code.ts'
import { createAuthenticator } from '../core/flows/webauthn/authenticator.ts'
import type { CeremonyOptions } from '../core/flows/webauthn/site.ts'
import { requestOf, valueOf } from '../core/account/account-site.ts'
import type { AuthConfig } from '../../src/index.ts'
import { LONGEST_IDLE } from './site.ts'
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
): StepCase => ({
  kind: 'step',
  site: 'revocable',
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
  'session with an absolute timeout': session('absolute'),
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
    async ({ tab }) => {
      const query = new URLSearchParams({ action: 'register', email: ADA.email })
      return { options: await (await tab.request(`webauthn-options/passkey?${query}`)).text() }
    },
    async (site, { options = '' }) => {
      const parsed = JSON.parse(options) as { options: CeremonyOptions }
      const data = JSON.stringify(createAuthenticator().create(parsed.options))
      await site.tab.post('callback/passkey', { action: 'register', data })
      return isSignedIn(site)
    },
    300,
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
