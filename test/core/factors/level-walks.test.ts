/** Whatever happens between the two steps of a sign-in, a session begins, and has level 2, only after both. */
import { array, assert, asyncProperty, constantFrom } from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { SessionRequired, StepUpRequired } from '../../../src/errors.ts'
import { requireAuth } from '../../../src/index.ts'
import type { RequireAuthOptions } from '../../../src/index.ts'
import type { Browser } from '../../../src/testing/index.ts'
import { cookieValue, DAY, pass, stopClock } from '../../sessions.ts'
import { requestOf, valueOf } from '../account/account-site.ts'
import { appCode } from './app-code.ts'
import { ADA, enrolledSite, enterCode, pendingOf, STRATEGIES } from './factor-site.ts'
import type { EnrolledSite } from './factor-site.ts'

beforeEach(stopClock)
afterEach(() => void vi.useRealTimers())

type Fields = Record<string, string>
type Kind = 'knowledge' | 'possession' | 'federated' | 'code'

interface Walk {
  readonly site: EnrolledSite
  readonly tab: Browser
  readonly recoveryCodes: string[]
  /** What the session was proved with; `null`: signed out. */
  proved: ReadonlySet<Kind> | null
  /** What the first step of a sign-in that waits has proved, with the session that it confirms. */
  pending: ReadonlySet<Kind> | null
  isRemembered: boolean
  lastCode: string
}

const FIRST_STEPS: Record<
  Exclude<Kind, 'code'>,
  (walk: Walk, fields: Fields) => Promise<unknown>
> = {
  knowledge: ({ tab }, fields) =>
    tab.post('callback/password', { email: ADA.email, password: 'right', ...fields }),
  async possession({ tab, site }, fields) {
    await tab.post('signin/email', { email: ADA.email, ...fields })
    await tab.request(site.mails.at(-1)?.url ?? '')
  },
  federated: async ({ tab }, fields) => (await tab.begin('op', fields)).complete(ADA),
}

function assured({ tab, site }: Walk, options: RequireAuthOptions = {}) {
  return valueOf(tab, requireAuth(requestOf(tab), site.config, options))
}

async function levelOf(walk: Walk): Promise<number> {
  const { assurance } = await assured(walk).catch((error: unknown) => {
    if (error instanceof SessionRequired) return { assurance: { level: 0 } }
    throw error
  })
  return assurance.level
}

/** Whether another session has begun. */
async function begins({ tab }: Walk, act: () => Promise<unknown>): Promise<boolean> {
  const before = cookieValue(tab)
  await act()
  return cookieValue(tab) !== before && cookieValue(tab) !== ''
}

async function first(
  walk: Walk,
  kind: Exclude<Kind, 'code'>,
  fields: Fields | null,
): Promise<void> {
  if (!fields) return
  const isStepUp = 'stepUp' in fields
  const proved = new Set<Kind>([kind, ...(isStepUp ? (walk.proved ?? []) : [])])
  if (await begins(walk, () => FIRST_STEPS[kind](walk, fields))) {
    expect(isStepUp ? hasTwoFactors(proved) : walk.isRemembered).toBe(true)
    walk.proved = proved
  } else if (pendingOf(walk.tab).length > 0) walk.pending = proved
}

/** The fields of the step-up that level 2 requires. */
async function stepUpFields(walk: Walk): Promise<Fields | null> {
  const error = await assured(walk, { level: 2 }).catch((thrown: unknown) => thrown)
  if (!(error instanceof StepUpRequired)) return null
  return { stepUp: new URL(error.url).searchParams.get('stepUp') ?? '' }
}

async function second(walk: Walk, code: string, fields: Fields = {}): Promise<void> {
  const { pending } = walk
  if (!(await begins(walk, () => enterCode(walk.tab, code, fields)))) return
  expect(pending).not.toBeNull()
  walk.proved = new Set<Kind>(['code', ...(pending ?? [])])
  walk.pending = null
  if ('rememberDevice' in fields) walk.isRemembered = true
}

async function nextCode(walk: Walk): Promise<string> {
  await pass(30)
  walk.lastCode = await appCode(walk.site.secret)
  return walk.lastCode
}

async function expectUnchanged(walk: Walk, act: () => Promise<unknown>): Promise<void> {
  expect(await begins(walk, act)).toBe(false)
}

const STEPS: Record<string, (walk: Walk) => Promise<unknown>> = {
  'enter a code': async (walk) => second(walk, await nextCode(walk)),
  'enter a code, and remember the browser': async (walk) =>
    second(walk, await nextCode(walk), { rememberDevice: 'true' }),
  'enter a recovery code': (walk) => second(walk, walk.recoveryCodes.pop() ?? ''),
  'enter a wrong code': (walk) => expectUnchanged(walk, () => enterCode(walk.tab, '000000')),
  'enter the last code again': (walk) =>
    expectUnchanged(walk, () => enterCode(walk.tab, walk.lastCode)),
  'enter a recovery code that was used': (walk) => {
    const used = walk.site.recoveryCodes[walk.recoveryCodes.length] ?? ''
    return expectUnchanged(walk, () => enterCode(walk.tab, used))
  },
  'enter a code in a browser without the first step': async (walk) => {
    const other = walk.site.open()
    await enterCode(other, await nextCode(walk))
    expect(await other.session()).toBeNull()
  },
  'sign out': async (walk) => {
    await walk.tab.post('signout')
    walk.proved = null
  },
  'wait until the first step has expired': async (walk) => {
    await pass(601)
    walk.pending = null
  },
  'wait until the browser is forgotten': async (walk) => {
    await pass(2 * DAY)
    Object.assign(walk, { pending: null, isRemembered: false })
  },
  ...Object.fromEntries(
    (['knowledge', 'possession', 'federated'] as const).flatMap((kind) => [
      [`sign in (${kind})`, (walk: Walk) => first(walk, kind, {})],
      [`step up (${kind})`, async (walk: Walk) => first(walk, kind, await stepUpFields(walk))],
    ]),
  ),
}

function hasTwoFactors(proved: ReadonlySet<Kind> | null): boolean {
  return proved?.has('code') || (proved?.has('knowledge') && proved.has('possession')) || false
}

test.each(STRATEGIES)('no path leads past the second step (%s)', async (strategy) => {
  const reached = { two: 0, remembered: 0 }
  const names = array(constantFrom(...Object.keys(STEPS)), { minLength: 3, maxLength: 9 })
  await assert(
    asyncProperty(
      constantFrom('knowledge', 'possession', 'federated'),
      names,
      async (kind, steps) => {
        const site = await enrolledSite(strategy, {
          session: { strategy, assurance: 'kept' },
          secondStep: { rememberDevice: DAY },
        })
        const walk: Walk = {
          site,
          tab: site.open(),
          recoveryCodes: [...site.recoveryCodes],
          proved: null,
          pending: null,
          isRemembered: false,
          lastCode: '000000',
        }
        for (const name of [`sign in (${kind})`, ...steps]) {
          await STEPS[name]?.(walk)
          const level = await levelOf(walk)
          if (walk.proved === null) expect([name, level]).toEqual([name, 0])
          if (!hasTwoFactors(walk.proved)) expect(level).toBeLessThan(2)
          else if (level === 2) reached.two++
          if (level === 1 && walk.isRemembered) reached.remembered++
        }
      },
    ),
    { numRuns: 60, seed: 14 },
  )
  // Else the property would say nothing.
  expect(Math.min(reached.two, reached.remembered)).toBeGreaterThan(0)
})
