/** docs/guides/rotate-secrets.md: the table of restarts. */
import { expect, test } from 'vitest'
import { readFileSync } from 'node:fs'
import { Auth, getSession, setEnvDefaults } from '../../src/index.ts'
import type { AuthConfig, Environment } from '../../src/index.ts'
import { browser, issuer } from '../../src/testing/index.ts'
import { configFor } from '../config.ts'
import { cookieValue, SESSION } from '../sessions.ts'

const SECRETS: Readonly<Record<string, string>> = {
  'old secret': 'the old secret, of more than 32 bytes',
  'new secret': 'the new secret, of more than 32 bytes',
}

const page = readFileSync(new URL('../../docs/guides/rotate-secrets.md', import.meta.url), 'utf8')
const op = await issuer()

function processWith(variables: Environment): AuthConfig {
  const config = { ...configFor(op).config, secret: undefined }
  setEnvDefaults(variables, config)
  return config
}

/** The processes before the first restart, and after each one. */
const processes = [
  processWith({ AUTH_SECRET: SECRETS['old secret'] }),
  ...[...page.matchAll(/^\| (\d) \| (.+?) \| (.+?) \|/gm)].map(([, , first = '', second = '']) =>
    processWith({ AUTH_SECRET_1: SECRETS[first], AUTH_SECRET: SECRETS[second] }),
  ),
]

const headers = (cookie: string) => ({ cookie, host: 'app.test', 'x-forwarded-proto': 'https' })

async function signedInCookie(config: AuthConfig): Promise<string> {
  const tab = browser(config, { issuer: op })
  await tab.signIn('op')
  return `${SESSION}=${cookieValue(tab)}`
}

const accepts = async (config: AuthConfig, cookie: string) =>
  (await getSession(headers(cookie), config)).session !== null

/** Whether a sign-in that began at one process is completed by another one. */
async function completes(began: AuthConfig, other: AuthConfig): Promise<boolean> {
  const tab = browser(began, { issuer: op })
  const { url } = await op.authorize((await tab.begin('op')).url)
  const cookies = tab.cookies.all().map(({ name, value }) => `${name}=${value}`)
  const request = new Request(url, { headers: headers(cookies.join('; ')) })
  const response = await Auth(request, other)
  return response.headers.getSetCookie().some((each) => each.startsWith(`${SESSION}=ey`))
}

test('the page has three restarts', () => {
  expect(processes).toHaveLength(4)
})

test.each([1, 2, 3])(
  'during restart %i, processes accept the sessions and sign-ins of each other',
  async (restart) => {
    const [before, after] = [processes[restart - 1] ?? {}, processes[restart] ?? {}]
    for (const [one, other] of [
      [before, after],
      [after, before],
    ] as const) {
      expect(await accepts(other, await signedInCookie(one))).toBe(true)
      expect(await completes(one, other)).toBe(true)
    }
  },
)

test('after the last restart, the old secret is not accepted', async () => {
  const [before, , , last] = processes
  expect(await accepts(last ?? {}, await signedInCookie(before ?? {}))).toBe(false)
})

test('with the new secret at once, a rolling restart would sign users out', async () => {
  const list = processWith({
    AUTH_SECRET_1: SECRETS['new secret'],
    AUTH_SECRET: SECRETS['old secret'],
  })
  expect(await accepts(processes[0] ?? {}, await signedInCookie(list))).toBe(false)
})
