import { expect, test } from 'vitest'
import MemoryAdapter from '../../src/adapters/memory.ts'
import { browser } from '../../src/testing/index.ts'
import { enterCode, FAILED, locationOf, mailSite, requestCode, wrongCode, WRONG } from '../email.ts'

const HOME = 'https://app.test'

/** A site with codes, whose adapter fails in one call of a method, before or after its effect. */
function failing(method: 'createVerificationToken' | 'createSession' | 'useVerificationToken') {
  const adapter = MemoryAdapter()
  const state: { fails: 'no' | 'before' | 'afterwards' } = { fails: 'no' }
  const call: (...args: never[]) => unknown = adapter[method]
  const run = async (...args: never[]): Promise<unknown> => {
    const { fails } = state
    state.fails = 'no'
    if (fails === 'before') throw new Error('The database is down.')
    const result = await call(...args)
    if (fails === 'afterwards') throw new Error('The connection was lost.')
    return result
  }
  const session = { strategy: 'database' } as const
  const provider = { method: 'code' } as const
  return { ...mailSite({ session }, { adapter, provider, methods: { [method]: run } }), state }
}

test.each(['useVerificationToken', 'createSession'] as const)(
  'a code can be entered again after %s failed',
  async (method) => {
    const site = failing(method)
    const tab = browser(site.config)
    const code = await requestCode(tab, site)
    site.state.fails = 'before'
    expect(locationOf(await enterCode(tab, code))).toBe(FAILED)
    expect(await tab.session()).toBeNull()
    expect(locationOf(await enterCode(tab, code))).toBe(HOME)
    expect(await tab.session()).not.toBeNull()
  },
)

test('a code can be entered again after the response of createSession was lost', async () => {
  const site = failing('createSession')
  const tab = browser(site.config)
  const code = await requestCode(tab, site)
  site.state.fails = 'afterwards'
  expect(locationOf(await enterCode(tab, code))).toBe(FAILED)
  expect(locationOf(await enterCode(tab, code))).toBe(HOME)
})

test('a code is rejected, rather than tried without a limit, after the response of its lookup was lost', async () => {
  const site = failing('useVerificationToken')
  const tab = browser(site.config)
  const code = await requestCode(tab, site)
  site.state.fails = 'afterwards'
  expect(locationOf(await enterCode(tab, code))).toBe(FAILED)
  expect(locationOf(await enterCode(tab, code))).toBe(WRONG)
  expect(locationOf(await enterCode(tab, await requestCode(tab, site)))).toBe(HOME)
})

test('a code is rejected after the next try could not be stored', async () => {
  const site = failing('createVerificationToken')
  const tab = browser(site.config)
  const code = await requestCode(tab, site)
  site.state.fails = 'before'
  expect(locationOf(await enterCode(tab, wrongCode(code)))).toBe(FAILED)
  expect(locationOf(await enterCode(tab, code))).toBe(WRONG)
  expect(locationOf(await enterCode(tab, await requestCode(tab, site)))).toBe(HOME)
})

test('a code is accepted after the response to a wrong one was lost', async () => {
  const site = mailSite({}, { provider: { method: 'code' } })
  const tab = browser(site.config)
  const code = await requestCode(tab, site)
  const cookies = tab.cookies.all()
  for (let at = 1; at <= 4; at++) {
    await enterCode(tab, wrongCode(code, at))
    for (const { name, value } of cookies) tab.cookies.set(name, value)
  }
  expect(locationOf(await enterCode(tab, code))).toBe(HOME)
})

/** A site whose database is down from the sign-in callback to the response. */
function failingLate() {
  const adapter = MemoryAdapter()
  const state = { isDown: false }
  const broken = (method: 'createUser' | 'createVerificationToken') => {
    const call: (...args: never[]) => unknown = adapter[method]
    return (...args: never[]): unknown => {
      if (state.isDown) throw new Error('The database is down.')
      return call(...args)
    }
  }
  const methods = {
    createUser: broken('createUser'),
    createVerificationToken: broken('createVerificationToken'),
  }
  const provider = { method: 'code' } as const
  return { ...mailSite({}, { adapter, provider, methods }), state }
}

async function enterDuringOutage() {
  const site = failingLate()
  const tab = browser(site.config)
  const code = await requestCode(tab, site)
  site.state.isDown = true
  expect(locationOf(await enterCode(tab, code))).toBe(FAILED)
  site.state.isDown = false
  return { tab, code }
}

test('a code that was right signs in once, after an outage in which it could not be stored again', async () => {
  const { tab, code } = await enterDuringOutage()
  const cookies = tab.cookies.all()
  expect(locationOf(await enterCode(tab, code))).toBe(HOME)
  expect(await tab.session()).not.toBeNull()
  for (const { name, value } of cookies) tab.cookies.set(name, value)
  expect(locationOf(await enterCode(tab, code))).toBe(WRONG)
})

test('another code does not sign in after an outage', async () => {
  const { tab, code } = await enterDuringOutage()
  for (let at = 1; at <= 6; at++)
    expect(locationOf(await enterCode(tab, wrongCode(code, at)))).toBe(WRONG)
  expect(await tab.session()).toBeNull()
  expect(locationOf(await enterCode(tab, code))).toBe(HOME)
})
