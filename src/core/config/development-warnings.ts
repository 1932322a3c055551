/** What is warned of in development: misspelt options, sessions that end in use, links that nothing can send, missing texts. */
import type { AuditOptions } from '../log/audit-event.ts'
import { isRecord } from '../is-record.ts'
import { englishMails } from '../pages/mail-messages.ts'
import { english, translated } from '../pages/messages.ts'
import type { PageMessage } from '../pages/messages.ts'
import type { WarningCode } from '../errors/codes.ts'
import type { TokensOptions } from '../tokens/options.ts'
import type { AccountOptions } from './account-options.ts'
import type { LogoutOptions } from './logout-options.ts'
import type { PasswordOptions } from './password-options.ts'
import { SESSION_MAX_AGE } from './defaults.ts'
import { findPasswordSupport } from './password-support.ts'
import type { ProviderConfig } from './provider.ts'
import type { SecondStepOptions } from './second-step-options.ts'
import { storesRecords } from './adapter.ts'
import { nearestName } from './nearest-name.ts'
import type { AuthConfig, PagesOptions, RevocationOptions, SessionOptions } from './types.ts'

type Names<T> = Readonly<Record<keyof T, true>>

const OPTIONS: Names<AuthConfig> = {
  account: true,
  adapter: true,
  audit: true,
  basePath: true,
  callbacks: true,
  cookies: true,
  debug: true,
  events: true,
  experimental: true,
  fetch: true,
  jwt: true,
  logger: true,
  logout: true,
  migrateSessions: true,
  origin: true,
  pages: true,
  protection: true,
  providers: true,
  raw: true,
  redirectProxyAllowedOrigins: true,
  redirectProxySecret: true,
  redirectProxyUrl: true,
  secondStep: true,
  secret: true,
  session: true,
  skipCSRFCheck: true,
  store: true,
  theme: true,
  tokens: true,
  trustedHosts: true,
  trustHost: true,
  useSecureCookies: true,
}

const SESSION: Names<SessionOptions> = {
  absoluteMaxAge: true,
  assurance: true,
  devices: true,
  generateSessionToken: true,
  hashTokens: true,
  lifetime: true,
  maxAge: true,
  maxPerUser: true,
  revocation: true,
  strategy: true,
  updateAge: true,
}

const REVOCATION: Names<RevocationOptions> = { maxStaleness: true, whenDown: true }

const PAGES: Names<PagesOptions> = {
  error: true,
  newUser: true,
  signIn: true,
  signOut: true,
  stepUp: true,
  verifyRequest: true,
}

const AUDIT: Names<AuditOptions> = { identifiers: true, write: true }

const TOKENS: Names<TokensOptions> = {
  grace: true,
  onLostGrant: true,
  refreshBefore: true,
  refreshInProxy: true,
  revokeOnSignOut: true,
  stored: true,
  where: true,
}

const ACCOUNT: Names<AccountOptions> = {
  beforeRemove: true,
  changeEmail: true,
  freshFor: true,
  mergeUsers: true,
  send: true,
}

const SECOND_STEP: Names<SecondStepOptions> = { rememberDevice: true, required: true }

const PASSWORD: Names<PasswordOptions> = {
  check: true,
  commonPasswords: true,
  hasher: true,
  id: true,
  legacy: true,
  minLength: true,
  name: true,
  signUp: true,
}

const LOGOUT: Names<LogoutOptions> = {
  allowedOrigins: true,
  backChannel: true,
  frontChannel: true,
  idTokenHint: true,
}

/** So many are reported; an object with more of them is not a misspelt one. */
const MAX_REPORTED = 10

function* unknownIn(place: string, options: unknown, names: Readonly<Record<string, true>>) {
  if (!isRecord(options)) return
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || Object.hasOwn(names, name)) continue
    const near = nearestName(name, Object.keys(names))
    const advice = near === undefined ? 'It has no effect.' : `Did you mean ${place}${near}?`
    yield `${place}${name} is not an option. ${advice}`
  }
}

/** Options of `Password`: those of other providers may be for the application. */
function* unknownInPasswords(providers: unknown) {
  if (!Array.isArray(providers)) return
  for (const [index, provider] of providers.entries()) {
    const support = isRecord(provider) ? findPasswordSupport(provider) : null
    yield* unknownIn(`providers[${index}].`, support?.options, PASSWORD)
  }
}

/** One sentence for each option that the library does not know. Symbols are not examined. */
export function unknownOptions(config: AuthConfig): readonly string[] {
  return [
    ...unknownIn('', config, OPTIONS),
    ...unknownIn('session.', config.session, SESSION),
    ...unknownIn('session.revocation.', config.session?.revocation, REVOCATION),
    ...unknownIn('pages.', config.pages, PAGES),
    ...unknownIn('audit.', config.audit, AUDIT),
    ...unknownIn('tokens.', config.tokens, TOKENS),
    ...unknownIn('logout.', config.logout, LOGOUT),
    ...unknownIn('account.', config.account, ACCOUNT),
    ...unknownIn('secondStep.', config.secondStep, SECOND_STEP),
    ...unknownInPasswords(config.providers),
  ].slice(0, MAX_REPORTED)
}

function findMissing(config: AuthConfig, providers: readonly ProviderConfig[]): string | null {
  const sendsMails = providers.some((each) => each.type === 'email' && each.sendMail !== undefined)
  if (!config.account?.send && !sendsMails)
    return 'nothing sends e-mails. Set account: { send }, a function that sends { to, subject, text, html }, or account: {} and a provider of type email of this package, such as Nodemailer or Resend.'
  if (!config.account) return 'the option account is missing. Set account: {}.'
  if (storesRecords(config)) return null
  return 'records are not stored. Pass with: ["records", "passwords"] to an adapter for SQL, or set store.'
}

/** Why the sign-in page cannot offer sign-up and reset of passwords; `null` if it does, or is not meant to. */
export function missingPasswordLinks(
  config: AuthConfig,
  providers: readonly ProviderConfig[],
): string | null {
  const offersSignUp = providers.some((provider) => {
    const support = provider.type === 'credentials' ? findPasswordSupport(provider) : null
    return support !== null && support.options.signUp !== false
  })
  const missing = offersSignUp ? findMissing(config, providers) : null
  if (missing === null) return null
  return `The sign-in page offers neither sign-up nor reset of passwords: ${missing} Without them, write Password({ signUp: false }).`
}

/** Why sessions end although they are used; `null` if they do not, or if they are meant to. */
export function endsInUse({ session }: AuthConfig): string | null {
  const { maxAge = SESSION_MAX_AGE, updateAge = 0, lifetime } = session ?? {}
  if (updateAge < maxAge || updateAge === Infinity) return null
  // A shorter idle timeout has an updateAge of its own, and a longer one may exceed that of the configuration.
  const extended = lifetime
    ? 'a session is extended only if its idle timeout, which session.lifetime chooses, is lower than maxAge or higher than updateAge. Others'
    : 'sessions are never extended, and'
  return `session.updateAge (${updateAge} seconds) is not lower than session.maxAge (${maxAge} seconds), so ${extended} end while they are used. Set a lower updateAge, or Infinity if that is intended.`
}

/** The names of texts that are shown in English although `theme.messages.lang` is another language. */
function missingTexts({ theme, account }: AuthConfig): readonly string[] {
  const messages = theme?.messages
  const lang: unknown = isRecord(messages) ? messages.lang : undefined
  if (typeof lang !== 'string' || /^en(?:-|$)/i.test(lang)) return []
  const pages = Object.keys(english).filter(
    (name) => translated({ messages }, name as PageMessage) === null,
  )
  const mails = account === undefined ? [] : Object.keys(englishMails)
  return [...pages, ...mails.filter((name) => !Object.hasOwn(messages ?? {}, name))]
}

export function* developmentWarnings(
  config: AuthConfig,
  providers: readonly ProviderConfig[],
): Generator<[code: WarningCode, message: string]> {
  for (const message of unknownOptions(config)) yield ['unknown-option', message]
  const unextended = endsInUse(config)
  if (unextended !== null) yield ['session-not-extended', unextended]
  const links = missingPasswordLinks(config, providers)
  if (links !== null) yield ['no-password-links', links]
  const names = missingTexts(config).join(', ')
  if (names !== '')
    yield [
      'missing-texts',
      `theme.messages is a translation, but lacks texts, which the built-in pages show in English: ${names}. Add them; the type PageMessages requires all.`,
    ]
}
