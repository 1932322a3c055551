/** What `debug: true` prints: one line for each step, so that a sign-in can be followed. */
import { readFileSync, readdirSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import MemoryAdapter from '../../../src/adapters/memory.ts'
import Google from '../../../src/providers/google.ts'
import { browser, issuer } from '../../../src/testing/index.ts'
import { configFor, enter, passwordConfig } from '../../config.ts'
import { captureConsole, debug, printed } from '../../debug-log.ts'
import { mailSite } from '../../email.ts'
import { SESSION } from '../../sessions.ts'

const op = await issuer()

beforeEach(() => {
  op.reset()
  captureConsole()
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

describe('debug: true', () => {
  test('follows a sign-in at an OpenID provider step by step', async () => {
    const { config } = configFor(op, { ...debug, callbacks: { signIn: () => true } })
    const tab = browser(config, { issuer: op })
    await tab.signIn('op')
    await tab.session()
    expect(printed()).toEqual([
      'request received {"method":"GET","route":"csrf"}',
      'request answered {"status":200}',
      'request received {"method":"POST","route":"signin/op"}',
      'transaction created {"provider":"op"}',
      'authorization request {"provider":"op","host":"issuer.test","redirect_uri":"https://app.test/auth/callback/op","scope":"openid profile email"}',
      'request answered {"status":302}',
      'request received {"method":"GET","route":"callback/op"}',
      'authorization response {"provider":"op","parameters":["code","iss","state"]}',
      'transaction found {"provider":"op"}',
      'code exchanged {"provider":"op","host":"issuer.test"}',
      'ID token validated {"provider":"op","issuer":"https://issuer.test/"}',
      'profile mapped {"provider":"op","user":["id","name","email","image"],"emailVerified":false}',
      'signIn callback returned {"result":"true"}',
      'user provisioned {"isNewUser":false,"writes":[]}',
      'session created',
      'request answered {"status":302}',
      'request received {"method":"GET","route":"session"}',
      `session read {"name":"${SESSION}"}`,
      'request answered {"status":200}',
    ])
  })

  test('reports which rows a sign-in writes and how the account was matched', async () => {
    const { config } = configFor(op, { ...debug, adapter: MemoryAdapter() })
    const tab = browser(config, { issuer: op })
    await tab.signIn('op')
    expect(printed()).toEqual(
      expect.arrayContaining([
        'account matched {"provider":"op","decision":"create"}',
        'user provisioned {"isNewUser":true,"writes":["createUser","linkAccount"]}',
      ]),
    )
    await tab.signIn('op')
    expect(printed()).toEqual(
      expect.arrayContaining([
        'account matched {"provider":"op","decision":"sign_in"}',
        'user provisioned {"isNewUser":false,"writes":[]}',
      ]),
    )
  })

  test('follows a sign-in by e-mail', async () => {
    const site = mailSite(debug)
    const tab = browser(site.config)
    await tab.post('signin/email', { email: 'ada@example.com' })
    await tab.request(site.mails[0]?.url ?? '')
    const lines = printed()
    expect(lines).toEqual(
      expect.arrayContaining([
        'magic link sent {"provider":"email"}',
        'magic link redeemed {"provider":"email"}',
        'user provisioned {"isNewUser":true,"writes":["createUser"]}',
        'session created',
      ]),
    )
    expect(lines.join()).not.toContain('ada@')
  })

  test('reports what authorize returned', async () => {
    const { config } = passwordConfig(debug)
    const tab = browser(config)
    vi.spyOn(console, 'info').mockImplementation(() => undefined)
    await enter(tab, { username: 'ada', password: 'wrong' })
    expect(printed()).toContain('authorize returned {"provider":"password","result":"no user"}')
    await enter(tab)
    expect(printed()).toContain('authorize returned {"provider":"password","result":"a user"}')
  })

  test.each([
    ['was used before', (location: string) => location, 'the state was already used'],
    ['began in another browser', null, 'no transaction cookie for this state'],
  ])('reports why there is no transaction for a response that %s', async (_what, again, reason) => {
    vi.spyOn(console, 'info').mockImplementation(() => undefined)
    const { config } = configFor(op, debug)
    const tab = browser(config, { issuer: op })
    const transaction = await tab.begin('op')
    const answer = await op.authorize(transaction.url)
    if (again) await transaction.comeBack(answer)
    printed()
    await (again ? tab : browser(config)).request(answer.url)
    expect(printed()).toContain(`transaction missing {"provider":"op","reason":"${reason}"}`)
  })
})

describe('the guide to the debug log', () => {
  const root = new URL('../../../', import.meta.url)

  const guide = readFileSync(new URL('docs/guides/debug-log.md', root), 'utf8')

  test('shows the lines that a sign-in at Google prints', async () => {
    const site = { origin: 'https://example.com', basePath: '/api/auth' }
    const google = await issuer({ url: 'https://accounts.google.com' })
    const { clientId, clientSecret } = google
    const { config } = configFor(google, {
      ...debug,
      providers: [Google({ clientId, clientSecret })],
      ...site,
    })
    const tab = browser(config, { issuer: google, ...site })
    const name = 'Ada Lovelace'
    const email = 'ada@gmail.com'
    await tab.signIn('google', { sub: 'ada', name, email, email_verified: true, picture: '' })
    await tab.session()
    const [, sample = ''] = /^```text\n([^]+?)\n```$/m.exec(guide) ?? []
    const lines = sample
      .replaceAll('[auth][debug] ', '')
      .replace('oauth2.googleapis', 'accounts.google')
    // The first two lines are of the request for the CSRF token.
    expect(printed().slice(2)).toEqual(lines.split('\n'))
  })

  test('lists every message that the source prints, and no other', () => {
    const [, table = ''] = guide.split('| Message | Printed when |')
    const listed = [...(table.split('\n## ')[0] ?? '').matchAll(/^\| `([^`]+)` \|/gm)].map(
      ([, message]) => message,
    )
    const source = readdirSync(new URL('src', root), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file))
      .map((file) => readFileSync(new URL(`src/${file}`, root), 'utf8'))
      .join('\n')
    const printedMessages = [...source.matchAll(/debug\?\.\(\s*['`]([^'`]+)['`]/g)]
    const messages = printedMessages.map(([, message = '']) =>
      message.replace('${method}', '<method>'),
    )
    expect(new Set(listed)).toEqual(new Set(messages))
  })
})
