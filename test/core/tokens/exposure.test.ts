/** No token in a log, an error, an event or a body, when the database or the provider fails. */
import { inspect } from 'node:util'
import { afterEach, expect, test, vi } from 'vitest'
import { getAccessToken } from '../../../src/index.ts'
import type { AuthConfig } from '../../../src/index.ts'
import { browser } from '../../../src/testing/index.ts'
import { oidc } from '../../config.ts'
import { forEachPlace } from './places.ts'
import { pass, requestWith, unluckySite } from './site.ts'
import type { UnluckySite } from './site.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** What a driver of a database throws: the statement with its parameters, also as cause. */
function sqlError(parameters: unknown): Error {
  const text = `update "accounts" set ... -- ${JSON.stringify(parameters)}`
  const cause = Object.assign(new Error(`Driver: ${text}`), { sql: text, parameters })
  return Object.assign(new Error(`Query failed: ${text}`, { cause }), { query: text, parameters })
}

function failToWrite({ faults, calls }: UnluckySite): void {
  const fail = () => {
    throw sqlError(calls.at(-1)?.args)
  }
  faults.updateAccount = fail
  // Not the lease, without which nothing is sent.
  faults.writeRecord = (run) => (inspect(calls.at(-1)?.args).includes("'tokens:") ? fail() : run())
  faults.deleteRecords = fail
  faults.linkAccount = fail
}

type Act = (site: UnluckySite, config: AuthConfig) => Promise<unknown>

const ACTS: Readonly<Record<string, Act>> = {
  'a refresh that cannot be stored': async (site, config) => {
    pass(600)
    failToWrite(site)
    await getAccessToken(requestWith(site.cookies()), config, 'op')
  },
  'a refresh without a database': async (site, config) => {
    pass(600)
    site.faults.listAccounts = () => {
      throw sqlError(site.cookies())
    }
    site.faults.readRecords = site.faults.listAccounts
    await getAccessToken(requestWith(site.cookies()), config, 'op')
  },
  'a sign-in that cannot be stored': async (site, config) => {
    failToWrite(site)
    await browser(config, { issuer: site.op }).signIn('op')
  },
  'a sign-out whose revocation fails': async (site, config) => {
    const tab = browser(config, { issuer: site.op })
    await tab.signIn('op')
    return (await tab.post('signout')).text()
  },
  'a sign-out without a database': async (site, config) => {
    const tab = browser(config, { issuer: site.op })
    await tab.signIn('op')
    failToWrite(site)
    return (await tab.post('signout')).text()
  },
  'pages and the session': async (site, config) => {
    const tab = browser(config, { issuer: site.op })
    const response = await tab.signIn('op')
    const bodies = [response.headers.get('location'), await response.text()]
    for (const path of ['session', 'signin', 'signout', 'error', 'providers', 'csrf'])
      bodies.push(await (await tab.request(`/auth/${path}`)).text())
    return bodies
  },
}

await forEachPlace((place) => {
  test.each(Object.entries(ACTS))('%s', async (name, act) => {
    const printed: unknown[][] = []
    for (const level of ['log', 'info', 'warn', 'error', 'debug'] as const)
      vi.spyOn(console, level).mockImplementation((...line) => void printed.push(line))
    for (const stored of place.where === 'account'
      ? (['encrypted', 'plain'] as const)
      : [undefined]) {
      const tokens = { revokeOnSignOut: 'session', ...(stored && { stored }) } as const
      const site = await unluckySite(place, tokens)
      const { accessToken, idToken } = await site.read()
      const issued = new Set([accessToken, String(idToken)])
      const events: unknown[] = []
      const { logger: _logger, ...rest } = site.config
      const config: AuthConfig = {
        ...rest,
        debug: true,
        events: {
          tokenRefreshFailed: (message) => void events.push(message),
          signOut: (message) => void events.push(message),
        },
        async fetch(input, init) {
          const request = new Request(input, init)
          const body = new URLSearchParams(await request.clone().text())
          for (const field of ['token', 'refresh_token', 'code']) {
            const value = body.get(field)
            if (value) issued.add(value)
          }
          if (request.url.endsWith('/revoke'))
            return Response.json(
              { error: 'unsupported_token_type', error_description: `No: ${body.get('token')}` },
              { status: 400 },
            )
          const response = await site.op.fetch(request)
          const answer: unknown = await response
            .clone()
            .json()
            .catch(() => null)
          for (const [member, value] of Object.entries(answer ?? {}))
            if (/^(?:access|refresh|id)_token$/.test(member)) issued.add(String(value))
          return response
        },
      }
      site.config.providers = [oidc(site.op, { revocation: `${site.op.url}/revoke` })]
      const result: unknown = await act(site, config).catch((error: unknown) => error)
      const text = inspect([printed, result, events], { depth: null, showHidden: true })
      const isSent = !name.includes('without a database')
      if (isSent) expect(issued.size).toBeGreaterThan(2)
      expect([...issued].filter((each) => text.includes(each))).toEqual([])
    }
  })
})
