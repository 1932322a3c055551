/** A site with a canary for every kind of secret, and the values that were observed in transit. */
import { vi } from 'vitest'
import type { Adapter } from '../../src/adapters/index.ts'
import type { AuthConfig } from '../../src/index.ts'
import type { Browser } from '../../src/testing/index.ts'
import { TYPED } from '../config.ts'
import { op, siteWith } from '../core/faults/site.ts'
import type { Site, Strategy } from '../core/faults/site.ts'

/** Secrets that must not appear in a log. */
export const CANARIES = [
  'client secret',
  'secret of the site',
  'access token',
  'refresh token',
  'ID token',
  'authorization code',
  'state',
  'nonce',
  'code verifier',
  'session cookie',
  'session token in the database',
  'CSRF token',
  'transaction cookie',
  'Cookie header',
  'Authorization header',
  'token of a link',
  'hash of a link',
  'URL of a link',
  'password',
  'other field of the credentials',
  'secret column of a user',
  'key of the mail service',
  'password of the mail server',
] as const

export type CanaryName = (typeof CANARIES)[number]

/** Observed values by name. */
export type CanaryValues = Map<CanaryName, Set<string>>

const SITE_SECRET = 'canary-secret-of-the-site-0123456789abcdef'
const REFRESH_TOKEN = 'canary/refresh+token=with "marks"'
const PIN = 'canary pin: 47 11 & more'
const COLUMN = '$argon2id$v=19$canary-password-hash'
const API_KEY = 'canary-api-key-of-the-mail-service'
const SERVER_PASSWORD = 'canary mail server: p@ss/word'

/** The encodings of a secret. */
export function spellings(value: string): readonly string[] {
  const base64 = Buffer.from(value).toString('base64')
  return [
    value,
    encodeURIComponent(value),
    new URLSearchParams({ value }).toString().slice('value='.length),
    JSON.stringify(value).slice(1, -1),
    base64.replace(/=+$/, ''),
    Buffer.from(value).toString('base64url'),
  ]
}

/** The secrets that a text contains, in any encoding. */
export function found(text: string, seen: CanaryValues): CanaryName[] {
  return CANARIES.filter((name) =>
    [...(seen.get(name) ?? [])].some((value) =>
      spellings(value).some((spelling) => text.includes(spelling)),
    ),
  )
}

/** A site, and the secrets that were observed on it. */
export interface CanarySite {
  readonly site: Site
  readonly seen: CanaryValues
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined

function watchedFetch(fetcher: NonNullable<AuthConfig['fetch']>, observe: Observe): typeof fetcher {
  return async (input, init) => {
    const request = new Request(input, init)
    const form = new URLSearchParams(await request.clone().text())
    observe('code verifier', form.get('code_verifier'))
    const [, authorization] = request.headers.get('authorization')?.split(' ') ?? []
    observe('Authorization header', authorization)
    if (authorization && request.url.endsWith('/token')) {
      const [, secret = ''] = atob(authorization).split(':')
      observe('client secret', decodeURIComponent(secret.replaceAll('+', ' ')))
    }
    const response = await fetcher(input, init)
    if (!request.url.endsWith('/token')) return response
    const body = { ...((await response.json()) as object), refresh_token: REFRESH_TOKEN }
    observe('access token', Reflect.get(body, 'access_token'))
    observe('ID token', Reflect.get(body, 'id_token'))
    return Response.json(body)
  }
}

/** Adds a secret column to every user, and observes the stored values. */
function watchedAdapter(adapter: Adapter, observe: Observe): Adapter {
  const withColumn = (row: unknown): unknown => {
    if (typeof row !== 'object' || row === null) return row
    if ('user' in row) return { ...row, user: withColumn(row.user) }
    observe('secret column of a user', 'email' in row ? COLUMN : null)
    return 'email' in row ? { ...row, passwordHash: COLUMN } : row
  }
  return new Proxy(adapter, {
    get(target, key): unknown {
      const method: unknown = Reflect.get(target, key)
      if (typeof method !== 'function' || key === 'transaction') return method
      return async (...args: unknown[]) => {
        const [row] = args
        const at = (name: string) =>
          typeof row === 'object' && row !== null ? textOf(Reflect.get(row, name)) : undefined
        observe('session token in the database', at('sessionToken'))
        if (key === 'createVerificationToken') observe('hash of a link', at('token'))
        if (key === 'linkAccount') observe('refresh token', at('refresh_token'))
        return withColumn(await Reflect.apply(method, target, args))
      }
    },
  })
}

type Observe = (name: CanaryName, value: unknown) => void

function harvest(tab: Browser, observe: Observe): void {
  for (const { name, value } of tab.cookies.all()) {
    const text = decodeURIComponent(value)
    if (name.endsWith('session-token')) observe('session cookie', text)
    if (name.includes('lib.state.')) observe('transaction cookie', text)
    if (name.endsWith('csrf-token')) observe('CSRF token', text.split('|')[0])
  }
  const url = new URL(tab.origin)
  observe('Cookie header', tab.cookies.header({ url, method: 'GET', initiator: 'same-site' }))
}

/** Opens a site. Only one may be in use at a time, because it spies on the issuer. */
export function canarySite(strategy: Strategy, logger: AuthConfig['logger']): CanarySite {
  const seen: CanaryValues = new Map()
  const observe: Observe = (name, value) => {
    if (typeof value !== 'string' || value.length < 12) return
    seen.set(name, (seen.get(name) ?? new Set()).add(value))
  }
  const site = siteWith(strategy, 'whole', ({ logger: _silent, ...config }) => ({
    ...config,
    ...(logger && { logger }),
    // Part of the captured log: a console, or the logger.
    audit: { write: (event) => (logger?.debug ?? console.log)('audit', event) },
    secret: SITE_SECRET,
    ...(config.fetch && { fetch: watchedFetch(config.fetch, observe) }),
    ...(typeof config.adapter === 'object' && { adapter: watchedAdapter(config.adapter, observe) }),
    providers: (config.providers ?? []).map((provider) =>
      typeof provider === 'object' && provider.type === 'email'
        ? Object.assign(provider, { apiKey: API_KEY, server: { auth: { pass: SERVER_PASSWORD } } })
        : provider,
    ),
  }))
  const tabs: Browser[] = []
  const authorize = op.authorize.bind(op)
  vi.spyOn(op, 'authorize').mockImplementation(async (url, person) => {
    for (const tab of tabs) harvest(tab, observe)
    for (const name of ['state', 'nonce'] as const)
      observe(name, new URL(url).searchParams.get(name))
    const answer = await authorize(url, person)
    observe('authorization code', new URL(answer.url).searchParams.get('code'))
    return answer
  })
  const watched = (tab: Browser): Browser => ({
    ...tab,
    async request(...parameters) {
      harvest(tab, observe)
      const response = await tab.request(...parameters)
      harvest(tab, observe)
      return response
    },
    async post(route, fields) {
      const isPassword = route === 'callback/password'
      await tab.csrfToken()
      harvest(tab, observe)
      if (isPassword) {
        observe('password', TYPED.password)
        observe('other field of the credentials', PIN)
        observe('secret of the site', SITE_SECRET)
      }
      const response = await tab.post(route, { ...fields, ...(isPassword && { pin: PIN }) })
      harvest(tab, observe)
      const link = site.mails.at(-1)
      observe('URL of a link', link)
      observe('token of a link', link && new URL(link).searchParams.get('token'))
      if (link) observe('key of the mail service', API_KEY)
      if (link) observe('password of the mail server', SERVER_PASSWORD)
      return response
    },
  })
  const open = () => {
    const tab = watched(site.open())
    tabs.push(tab)
    return tab
  }
  return { site: { ...site, open }, seen }
}
