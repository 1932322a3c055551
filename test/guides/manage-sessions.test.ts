/** docs/guides/manage-sessions.md */
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import type { Adapter } from '../../src/adapters/index.ts'
import type { AuthConfig } from '../../src/index.ts'
import { browser, issuer } from '../../src/testing/index.ts'
import type { Browser } from '../../src/testing/index.ts'
import { configFor, oidc } from '../config.ts'
import { nextSite, thrownRedirect, SESSION } from '../frameworks/next/next-site.ts'
import { openGuide, stubGuideEnvironment } from './guide.ts'

const guide = openGuide('manage-sessions')
const op = await issuer()

interface Actions {
  listMySessions: () => Promise<Date[]>
  signOutEverywhere: () => Promise<void>
}

beforeAll(stubGuideEnvironment)
afterEach(() => void vi.useRealTimers())
afterAll(() => void vi.unstubAllEnvs())

/** Two browsers in which one user is signed in, and the site as the first one sees it. */
async function signedInTwice(sub: string) {
  const { adapter } = await guide.load<{ adapter: Required<Adapter> }>('auth.ts')
  const { config } = configFor(op, { adapter, providers: [oidc(op)] })
  const tabs: [Browser, Browser] = [
    browser(config, { issuer: op }),
    browser(config, { issuer: op }),
  ]
  for (const tab of tabs) await tab.signIn('op', { sub, email: `${sub}@example.com` })
  const site = nextSite()
  site.cookies.set(SESSION, tabs[0].cookies.get(SESSION)?.value ?? '')
  return { site, tabs, adapter, actions: await guide.load<Actions>('account-actions.ts') }
}

test('lists the sessions of the user', async () => {
  const { site, actions } = await signedInTwice('list')
  expect(await site.action(actions.listMySessions)).toHaveLength(2)
})

test('signs out everywhere', async () => {
  const { site, tabs, actions } = await signedInTwice('everywhere')
  await thrownRedirect(site.action(actions.signOutEverywhere))
  expect(await Promise.all(tabs.map((tab) => tab.session()))).toEqual([null, null])
})

test('revokes the JWT sessions of a user, but not those after the revocation', async () => {
  const { callbacks, validSince } = await guide.load<{
    callbacks: NonNullable<AuthConfig['callbacks']>
    validSince: Map<string, number>
  }>('jwt-revocation.ts')
  const { config } = configFor(op, { callbacks })
  const tab = browser(config, { issuer: op })
  await tab.signIn('op', { sub: 'ada' })
  expect(await tab.session()).not.toBeNull()
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.setSystemTime(Date.now() + 1000)
  validSince.set('op|ada', Date.now() / 1000)
  expect(await tab.session()).toBeNull()
  await tab.signIn('op', { sub: 'ada' })
  expect(await tab.session()).not.toBeNull()
})

test('lists and ends sessions in cookies', async () => {
  const settings = (
    await guide.load<{ config: Pick<AuthConfig, 'store' | 'session'> }>('sessions-config.ts')
  ).config
  const { devices, signOutDevice, signOutElsewhere } = await guide.load<{
    devices: (request: Request, config: AuthConfig) => Promise<Response>
    signOutDevice: (request: Request, config: AuthConfig, sid: string) => Promise<Response>
    signOutElsewhere: (request: Request, config: AuthConfig) => Promise<Response>
  }>('devices.ts')
  const { config } = configFor(op, { providers: [oidc(op)], ...settings })
  const tabs = [1, 2, 3].map(() => browser(config, { issuer: op }))
  for (const tab of tabs) await tab.signIn('op')
  const [first] = tabs as [Browser]
  const request = new Request('https://app.test/', {
    headers: {
      cookie: `${SESSION}=${first.cookies.get(SESSION)?.value ?? ''}`,
      host: 'app.test',
      'sec-fetch-site': 'same-origin',
    },
  })
  const list = async () =>
    (
      (await (await devices(request, config)).json()) as {
        sessions: { sid: string; isCurrent: boolean }[]
      }
    ).sessions
  const other = (await list()).find(({ isCurrent }) => !isCurrent)
  const ended = await signOutDevice(request, config, other?.sid ?? '')
  expect(await ended.json()).toBe(true)
  expect(await list()).toHaveLength(2)
  expect((await signOutElsewhere(request, config)).status).toBe(204)
  const names = await Promise.all(tabs.map((tab) => tab.session()))
  expect(names.map((session) => session !== null)).toEqual([true, false, false])
})
