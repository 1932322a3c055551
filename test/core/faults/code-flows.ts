/** User flows with e-mail codes. */
import { expect } from 'vitest'
import type { Browser } from '../../../src/testing/index.ts'
import { wrongCode } from '../../email.ts'
import { SESSION } from '../../sessions.ts'
import { goesTo, isUser } from './flows.ts'
import type { Flow } from './flows.ts'
import type { Site } from './site.ts'

const ADA = 'ada@example.com'

/** Requests a mail, of which at most one is sent. */
async function ask(tab: Browser, { mails }: Site, id = 'code'): Promise<Response> {
  const before = mails.length
  const response = await tab.post(`signin/${id}`, { email: ADA, callbackUrl: '/in' })
  expect(mails.length - before).toBeLessThan(2)
  return response
}

const newest = ({ codes }: Site): string => codes.at(-1) ?? ''

const enter = (tab: Browser, code: string, id = 'code') => tab.post(`callback/${id}`, { code })

/** Enters a code that was not sent; it signs nobody in. */
async function guess(tab: Browser, site: Site): Promise<Response> {
  const response = await enter(tab, wrongCode(newest(site)))
  expect(tab.cookies.get(SESSION)).toBeUndefined()
  return response
}

const isRejected = goesTo(
  '/auth/verify-request?provider=code&type=email&error=Verification&code=invalid_code',
)

const SIGNED_IN = {
  isDone: goesTo('/in'),
  outcome: isUser(ADA),
  rows: () => ({ users: 1, accounts: 0, sessions: 1 }),
}

export const codeFlows: readonly Flow[] = [
  {
    ...SIGNED_IN,
    name: 'requesting a code',
    act: ask,
    isDone: goesTo('/auth/verify-request?provider=code&type=email'),
    hasEnded: ({ mails }) => mails.length > 0,
    async outcome(tab, site) {
      await enter(tab, newest(site))
      await isUser(ADA)(tab)
    },
  },
  {
    ...SIGNED_IN,
    name: 'entering a code',
    prepare: async (site, tab) => void (await ask(tab, site)),
    act: (tab, site) => enter(tab, newest(site)),
  },
  {
    ...SIGNED_IN,
    name: 'entering a wrong code',
    prepare: async (site, tab) => void (await ask(tab, site)),
    act: guess,
    isDone: isRejected,
    async outcome(tab, site) {
      await enter(tab, newest(site))
      await isUser(ADA)(tab)
    },
  },
  {
    ...SIGNED_IN,
    name: 'entering the fifth wrong code',
    async prepare(site, tab) {
      await ask(tab, site)
      for (let at = 0; at < 4; at++) await guess(tab, site)
    },
    act: guess,
    isDone: isRejected,
    async outcome(tab, site) {
      await enter(tab, newest(site))
      expect(await tab.session()).toBeNull()
    },
    rows: () => ({ users: 0, accounts: 0, sessions: 0 }),
  },
  {
    ...SIGNED_IN,
    name: 'entering the code of a mail with a link',
    prepare: async (site, tab) => void (await ask(tab, site, 'both')),
    act: (tab, site) => enter(tab, newest(site), 'both'),
  },
]
