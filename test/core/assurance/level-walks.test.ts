/** Whatever users and attackers do in a row, a session has level 2 only after two factors (acceptance B8). */
import { array, assert, asyncProperty, constantFrom } from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { StepUpRequired } from '../../../src/errors.ts'
import { cookieValue, pass, stopClock } from '../../sessions.ts'
import {
  ADA,
  addPasskey,
  asPasskey,
  asPassword,
  fieldsOf,
  mailed,
  op,
  open,
  passkeyCeremony,
  required,
  STRATEGIES,
} from './step-up-site.ts'
import type { Site } from './step-up-site.ts'
import type { AuthAction } from '../../../src/index.ts'

beforeEach(stopClock)
afterEach(() => void vi.useRealTimers())
afterEach(() => op.reset())

type Fields = Record<string, string>

interface Walk {
  readonly site: Site
  /** What the session was proved with; `null`: signed out. */
  proved: ReadonlySet<string> | null
  /** The URL of the first step-up page. */
  first?: string
}

/** The methods that begin a session or complete a step-up, by the kind of factor that they prove. */
const METHODS: Record<string, (site: Site, fields: Fields) => Promise<unknown>> = {
  knowledge: (site, fields) => asPassword(site, fields),
  possession: (site, fields) => mailed(site, fields),
  // Claims about factors, by a provider that is not trusted to make them.
  federated: async (site, fields) => {
    op.misbehaviour.idToken = (draft) => ({
      ...draft,
      claims: { ...draft.claims, amr: ['mfa', 'pwd', 'otp'], acr: 'gold' },
    })
    await (await site.tab.begin('op', fields)).complete(ADA)
  },
}

/** The page of the step-up that level 2 requires; `null` if the session has it, or the browser is signed out. */
async function stepUpPage({ site, proved }: Walk): Promise<string | null> {
  if (!proved) return null
  const error = await required(site, { level: 2 }).catch((thrown: unknown) => thrown)
  return error instanceof StepUpRequired ? error.url : null
}

async function fieldsFor(walk: Walk): Promise<Fields | null> {
  const page = await stepUpPage(walk)
  if (page) walk.first ??= page
  return page === null ? null : fieldsOf(page)
}

async function complete(walk: Walk, kind: string, fields: Fields, added: boolean): Promise<void> {
  const before = cookieValue(walk.site.tab)
  await METHODS[kind]?.(walk.site, fields)
  const after = cookieValue(walk.site.tab)
  if (after === '' || after === before) return
  walk.proved = new Set([kind, ...(added ? (walk.proved ?? []) : [])])
}

/** What follows the name of each route; the sign-out is a step of its own. */
const ROUTES: Readonly<Record<Exclude<AuthAction, 'signout'>, readonly string[]>> = {
  'backchannel-logout': ['/op'],
  callback: ['/op?code=x&state=x', '/email?token=x&email=ada%40example.com', '/passkey'],
  confirm: ['?token=x'],
  csrf: [''],
  error: [''],
  'frontchannel-logout': ['/op?iss=x&sid=x'],
  'post-logout': ['?state=x'],
  password: ['/change', '/reset?token=x', '/verify?token=x'],
  providers: [''],
  session: [''],
  signin: ['', '/op', '/unknown'],
  'step-up': [''],
  'verify-request': [''],
  'webauthn-options': ['/passkey?action=authenticate', '/passkey?action=register'],
}

type Step = (walk: Walk) => Promise<void>

const STEPS: Record<string, Step> = {
  'sign out': async (walk) => {
    await walk.site.tab.post('signout')
    walk.proved = null
  },
  'wait an hour': () => pass(3600),
  'request every route with the parameters of a step-up': async (walk) => {
    const fields = (await fieldsFor(walk)) ?? {}
    const query = new URLSearchParams(fields).toString()
    for (const [route, ends] of Object.entries(ROUTES))
      for (const end of ends) {
        await walk.site.tab.request(`${route}${end}${end.includes('?') ? '&' : '?'}${query}`)
        await walk.site.tab.post(`${route}${end}`, { ...fields, level: '2', amr: 'mfa' })
      }
  },
  'update the session with facts': async ({ site }) => {
    const lib = { amr: ['mfa'], acr: 'gold', level: 2 }
    await site.tab.post('session', { data: JSON.stringify({ lib, amr: ['mfa'], level: 2 }) })
  },
  'enter a wrong password in a step-up': async (walk) => {
    const fields = { email: ADA.email, password: 'wrong', ...(await fieldsFor(walk)) }
    await walk.site.tab.post('callback/credentials', fields)
  },
  'request a magic link in a step-up, and not follow it': async (walk) => {
    await walk.site.tab.post('signin/email', { email: ADA.email, ...(await fieldsFor(walk)) })
  },
  'begin with the provider in a step-up, and not return': async (walk) => {
    const fields = await fieldsFor(walk)
    if (fields) await walk.site.tab.begin('op', fields)
  },
  'begin with a passkey, and not confirm': async ({ site }) => {
    await passkeyCeremony(site, 'authenticate')
  },
  ...Object.fromEntries(
    Object.keys(METHODS).flatMap((kind): [string, Step][] => [
      [`sign in (${kind})`, (walk) => complete(walk, kind, {}, false)],
      [
        `complete a step-up (${kind})`,
        async (walk) => {
          const fields = await fieldsFor(walk)
          if (fields) await complete(walk, kind, fields, true)
        },
      ],
      [
        `complete the first step-up again (${kind})`,
        async (walk) => {
          if (walk.first) await complete(walk, kind, fieldsOf(walk.first), true)
        },
      ],
    ]),
  ),
}

function hasTwoFactors(proved: ReadonlySet<string> | null): boolean {
  return proved !== null && proved.has('knowledge') && proved.has('possession')
}

async function levelOf({ site, proved }: Walk): Promise<number> {
  return proved ? (await required(site, {})).value.assurance.level : 0
}

describe.each(STRATEGIES)('with %s sessions', (strategy) => {
  test('no path leads to level 2 without two factors', async () => {
    let reached = 0
    await assert(
      asyncProperty(
        array(constantFrom(...Object.keys(STEPS)), { minLength: 3, maxLength: 9 }),
        async (names) => {
          op.reset()
          const site = open(strategy, { protection: 'off' })
          const walk: Walk = { site, proved: null }
          await complete(walk, 'federated', {}, false)
          for (const name of names) {
            await STEPS[name]?.(walk)
            const level = await levelOf(walk)
            if (level === 2) reached++
            if (!hasTwoFactors(walk.proved)) expect(level).toBeLessThan(2)
          }
        },
      ),
      { numRuns: 60, seed: 14 },
    )
    // Else the property would say nothing.
    expect(reached).toBeGreaterThan(0)
  })

  test('a passkey that was added on the way is a factor only once it has confirmed the user', async () => {
    const site = open(strategy, { protection: 'off' })
    const walk: Walk = { site, proved: null }
    await complete(walk, 'federated', {}, false)
    await addPasskey(site)
    expect(await levelOf(walk)).toBe(1)
    await asPasskey(site, (await fieldsFor(walk)) ?? {})
    expect(await levelOf(walk)).toBe(2)
  })
})
