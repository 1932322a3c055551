import { Auth } from '../../src/index.ts'
import type { AuthConfig } from '../../src/index.ts'
import { SECRET, silentLog, TYPED } from '../config.ts'
import type { Log } from '../config.ts'

export const ORIGIN = 'https://app.test'

/** The Accept header of a browser navigation. */
export const NAVIGATION = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

/** A configuration that records every call. */
export interface RecordingConfig {
  readonly config: AuthConfig
  /** Names of callbacks, events and outgoing requests. */
  readonly calls: string[]
  readonly log: Log
}

/** One provider of each type; requests to the first two fail. */
export function recordingConfig(overrides: Partial<AuthConfig> = {}): RecordingConfig {
  const calls: string[] = []
  const { log, logger } = silentLog()
  const config: AuthConfig = {
    providers: [
      {
        id: 'op',
        name: 'OP',
        type: 'oidc',
        issuer: 'https://op.test',
        clientId: 'c',
        clientSecret: 's',
      },
      {
        id: 'plain',
        name: 'Plain',
        type: 'oauth',
        clientId: 'c',
        clientSecret: 's',
        authorization: 'https://plain.test/authorize',
        token: 'https://plain.test/token',
        userinfo: 'https://plain.test/user',
      },
      {
        id: 'password',
        name: 'Password',
        type: 'credentials',
        credentials: { username: {}, password: { type: 'password' } },
        authorize({ username, password }) {
          calls.push('authorize')
          return username === TYPED.username && password === TYPED.password ? { id: '1' } : null
        },
      },
    ],
    secret: SECRET,
    trustHost: true,
    logger,
    fetch(input) {
      calls.push(`fetch ${input instanceof Request ? input.url : String(input)}`)
      return Promise.reject(new TypeError('Connection refused.'))
    },
    callbacks: {
      signIn: () => calls.push('callback signIn') > 0,
      redirect({ url, baseUrl }) {
        calls.push('callback redirect')
        return new URL(url, baseUrl).origin === baseUrl ? url : baseUrl
      },
      jwt({ token }) {
        calls.push('callback jwt')
        return token
      },
      session({ session }) {
        calls.push('callback session')
        return session
      },
    },
    events: {
      signIn: () => void calls.push('event signIn'),
      signOut: () => void calls.push('event signOut'),
      session: () => void calls.push('event session'),
    },
    ...overrides,
  }
  return { config, calls, log }
}

/** Sends one request to the site. */
export function send(config: AuthConfig, path: string, init?: RequestInit): Promise<Response> {
  return Auth(new Request(`${ORIGIN}${path}`, init), config)
}

/** The error type of a JSON response. */
export async function errorOf(response: Response): Promise<unknown> {
  const body: unknown = await response.json()
  return typeof body === 'object' && body !== null && 'error' in body ? body.error : undefined
}

/** Opens a page as a browser does. */
export async function open(config: AuthConfig, route: string): Promise<[Response, string]> {
  const response = await send(config, `/auth/${route}`, { headers: NAVIGATION })
  return [response, await response.text()]
}

/** The policy of a page, directive by directive. */
export function policyOf({ headers }: Response): Record<string, string> {
  const directives = (headers.get('content-security-policy') ?? '').split('; ')
  return Object.fromEntries(
    directives.map((directive) => {
      const [name = '', ...sources] = directive.split(' ')
      return [name, sources.join(' ')]
    }),
  )
}
