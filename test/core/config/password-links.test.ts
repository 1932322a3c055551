/** In development, the log says why the sign-in page has no links to sign up and to reset a password. */
import { afterEach, expect, test, vi } from 'vitest'
import type { Adapter } from '../../../src/adapters/index.ts'
import MemoryAdapter from '../../../src/adapters/memory.ts'
import type { AuthConfig } from '../../../src/index.ts'
import { Password } from '../../../src/password.ts'
import Resend from '../../../src/providers/resend.ts'
import { until } from '../../sessions.ts'
import { without } from '../../database.ts'
import { passwordSite } from '../password/password-site.ts'

afterEach(() => void vi.unstubAllEnvs())

const send = () => undefined
const mailer = Resend({ from: 'no-reply@app.test', apiKey: 'key' })
const noRecords: Adapter = without(MemoryAdapter(), 'readRecords')

/** The warnings of the configuration, after the last one that development logs; and the sign-in page. */
async function start(config: Partial<AuthConfig>, adapter?: Adapter) {
  vi.stubEnv('NODE_ENV', 'development')
  const site = passwordSite({
    config: { ...config, nonsense: true } as object,
    ...(adapter && { adapter }),
  })
  const page = await (await site.open().request('signin')).text()
  const codes = () => site.log.lines.map(([, code]) => code)
  await until(() => codes().includes('unknown-option'))
  const line = site.log.lines.find(([, code]) => code === 'no-password-links')
  return { warning: line ? String(line[2]) : null, hasLinks: page.includes('/password/sign-up') }
}

test.each<[string, Partial<AuthConfig>, string, Adapter?]>([
  ['the option account', {}, 'nothing sends e-mails. Set account: { send }'],
  ['e-mails', { account: {} }, 'nothing sends e-mails. Set account: { send }'],
  ['the option, with e-mails', { providers: [Password(), mailer] }, 'Set account: {}.'],
  ['records', { account: { send } }, 'with: ["records", "passwords"]', noRecords],
])('without %s, a warning says what to set', async (_name, config, message, adapter) => {
  const { warning, hasLinks } = await start(config, adapter)
  expect(warning).toContain(message)
  expect(hasLinks).toBe(false)
})

test.each<[string, Partial<AuthConfig>, boolean]>([
  ['send', { account: { send } }, true],
  ['a provider that sends', { account: {}, providers: [Password(), mailer] }, true],
  ['signUp: false', { providers: [Password({ signUp: false })] }, false],
])('with %s, no warning appears', async (_name, config, links) => {
  expect(await start(config)).toEqual({ warning: null, hasLinks: links })
})
