/** A site whose user is signed in at a provider, with faults of the provider and of the database. */
import { vi } from 'vitest'
import { getAccessToken } from '../../../src/index.ts'
import type { AccessToken, AccessTokenOptions, AuthConfig } from '../../../src/index.ts'
import { browser, issuer } from '../../../src/testing/index.ts'
import type { Browser, Issuer, IssuerOptions } from '../../../src/testing/index.ts'
import { configFor, oidc } from '../../config.ts'
import type { Log } from '../../config.ts'
import { recordCalls } from '../../database.ts'
import type { RecordedAdapter } from '../../database.ts'
import { settingsFor } from './places.ts'
import type { Place } from './places.ts'

export const TOKEN = /^[\da-f-]{36}$/

const URL_OF_PAGE = new URL('https://app.test/')

/** Moves the clock; timers and promises keep running. */
export function pass(seconds: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1000 })
}

const MEMORY = Symbol.for('lib-auth.process.1')

/** Continues as another process. */
export function changeProcess(): void {
  const scope = globalThis as { [MEMORY]?: object }
  scope[MEMORY] = {}
}

/** Called with each refresh, after the provider has refreshed, and before its response arrives. */
type OnRefresh = (response: Response) => Response | Promise<Response>

export interface UnluckySite extends RecordedAdapter {
  readonly op: Issuer
  readonly tab: Browser
  readonly config: AuthConfig
  readonly log: Log
  readonly cookies: () => string
  /** Reads the token with the cookies of the browser, and keeps those that are set. */
  readonly read: (options?: AccessTokenOptions) => Promise<AccessToken>
  /** The refresh tokens that were sent. */
  readonly sent: string[]
  onRefresh: OnRefresh
}

/** The cookies of a browser, as the server of the page receives them. */
export function cookiesOf(tab: Browser): string {
  return tab.cookies.header({ url: URL_OF_PAGE, method: 'GET', initiator: 'same-site' }) ?? ''
}

export function requestWith(cookie: string): Request {
  return new Request(URL_OF_PAGE, { headers: { cookie, host: 'app.test' } })
}

/** Ada is signed in; her access token is valid for ten minutes, and the provider rotates refresh tokens. */
export async function unluckySite(
  place: Place,
  tokens: AuthConfig['tokens'] = {},
  options: IssuerOptions = {},
): Promise<UnluckySite> {
  const op = await issuer({
    algorithm: 'ES256',
    refreshTokens: 'rotated',
    accessTokenLifetime: 600,
    ...options,
  })
  const recorded = recordCalls(await place.openAdapter())
  const settings = settingsFor(place, recorded.adapter)
  const sent: string[] = []
  const { config, log } = configFor(op, {
    providers: [oidc(op, { revocation: `${op.url}/revoke` })],
    ...settings,
    tokens: { ...settings.tokens, ...tokens },
    async fetch(input, init) {
      const response = await op.fetch(input, init)
      const token = init?.body instanceof URLSearchParams && init.body.get('refresh_token')
      if (!token) return response
      sent.push(token)
      return site.onRefresh(response)
    },
  })
  const tab = browser(config, { issuer: op })
  const cookies = () => cookiesOf(tab)
  const site: UnluckySite = {
    ...recorded,
    op,
    tab,
    config,
    log,
    cookies,
    sent,
    onRefresh: (response) => response,
    async read(given) {
      const answer = await getAccessToken(requestWith(cookies()), config, 'op', given)
      for (const each of answer.headers.getSetCookie()) tab.cookies.accept(each, URL_OF_PAGE)
      return answer.value
    },
  }
  await tab.signIn('op')
  return site
}
