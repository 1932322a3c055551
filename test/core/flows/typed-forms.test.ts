import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { browser } from '../../../src/testing/index.ts'
import { enter, passwordConfig } from '../../config.ts'

/** Value of an input of a page; `undefined` if it has none. */
function valueOf(html: string, name: string): string | undefined {
  const [input = ''] = new RegExp(`<input[^>]*name="${name}"[^>]*>`).exec(html) ?? []
  return /value="([^"]*)"/.exec(input)?.[1]
}

const WRONG = { username: 'ada "the first"', password: 'wrong', code: '123456' }
const credentials = {
  username: { label: 'User name' },
  password: { type: 'password' },
  code: { autoComplete: 'one-time-code' },
}

describe('the sign-in page after wrong credentials', () => {
  test('contains what the user typed, but no password and no code', async () => {
    const { config } = passwordConfig({}, { credentials })
    const tab = browser(config)
    const page = await tab.follow(await enter(tab, WRONG))
    const html = await page.text()
    expect(html).toContain('aria-invalid="true"')
    expect(valueOf(html, 'username')).toBe('ada &quot;the first&quot;')
    expect(valueOf(html, 'password')).toBeUndefined()
    expect(valueOf(html, 'code')).toBeUndefined()
    const again = await (await tab.request('signin?error=CredentialsSignin')).text()
    expect(valueOf(again, 'username')).toBeUndefined()
  })

  test.each([
    'password',
    'Password',
    'newPassword',
    'passwd',
    'user_pass',
    'pwd',
    'otp',
    'smsOtp',
    'pin',
    'userPIN',
    'secret',
    'token',
    'code',
    'backup-code',
    'cvc',
    'pass1',
    'userpass',
    'Kennwort',
    'mot_de_passe',
    'motDePasse',
    'contraseña',
    'wachtwoord',
    'пароль',
    'PIN1',
    'otp6',
    'smsTan',
    'apiKey',
    'securityAnswer',
    'cardNumber',
    'recovery',
  ])('contains no value of a field that is named %s and has no type', async (name) => {
    const { config } = passwordConfig({}, { credentials: { email: {}, [name]: {} } })
    const tab = browser(config)
    const page = await tab.follow(await enter(tab, { email: 'a@example.com', [name]: 'typed' }))
    const html = await page.text()
    expect(valueOf(html, 'email')).toBe('a@example.com')
    expect(html).toContain(`name="${name}"`)
    expect(valueOf(html, name)).toBeUndefined()
  })

  test.each(['OFF', ' off ', 'One-Time-Code', 'section-a Current-Password', 'CC-Number'])(
    'contains no value of a field whose autocomplete is %s',
    async (autocomplete) => {
      const { config } = passwordConfig({}, { credentials: { email: {}, x: { autocomplete } } })
      const tab = browser(config)
      const page = await tab.follow(await enter(tab, { email: 'a@example.com', x: 'typed' }))
      expect(valueOf(await page.text(), 'x')).toBeUndefined()
    },
  )

  test('contains the value of a field whose name only contains such a word', async () => {
    const places = { shippingPlace: 'Paris', tangent: '1', passengers: '2', keyboard: 'de' }
    const names = Object.keys(places).map((name) => [name, {}])
    const fields = { ...Object.fromEntries(names), password: {} }
    const { config } = passwordConfig({}, { credentials: fields })
    const tab = browser(config)
    const page = await tab.follow(await enter(tab, { ...places, password: 'wrong' }))
    const html = await page.text()
    for (const [name, value] of Object.entries(places)) expect(valueOf(html, name)).toBe(value)
  })

  test('does not contain what another browser typed, nor text of the query', async () => {
    const { config } = passwordConfig({}, { credentials })
    await enter(browser(config), WRONG)
    const page = await browser(config).request('signin?error=CredentialsSignin&username=ada')
    expect(valueOf(await page.text(), 'username')).toBeUndefined()
  })

  test('reads no cookie that the site has not sealed', async () => {
    const { config } = passwordConfig({}, { credentials })
    const tab = browser(config)
    await enter(tab, WRONG)
    const cookie = tab.cookies.all().find(({ name }) => name.endsWith('lib.form'))
    // A JWE (RFC 7516 §7.1) with direct encryption.
    expect(cookie?.value).toMatch(/^[\w-]+\.\.[\w-]+\.[\w-]+\.[\w-]+$/)
    const other = browser({
      ...config,
      secret: 'another secret of at least 32 bytes, for this test',
    })
    const headers = { cookie: `${cookie?.name}=${cookie?.value}` }
    const page = await other.request('signin?error=CredentialsSignin', { headers })
    expect(valueOf(await page.text(), 'username')).toBeUndefined()
  })
})

test.each(['password', 'currentPassword', 'pass'])(
  'the sign-in page hides what is typed into a field named %s without a type',
  async (name) => {
    const { config } = passwordConfig({}, { credentials: { email: {}, [name]: {} } })
    const html = await (await browser(config).request('signin')).text()
    const [input] = new RegExp(`<input[^>]*name="${name}"[^>]*>`).exec(html) ?? []
    expect(input).toContain('type="password"')
    expect(html).toMatch(/<input[^>]*type="text"[^>]*name="email"/)
  },
)

describe('a sign-out', () => {
  test('is named by the sign-in page that the protected page redirects to, once', async () => {
    const { config } = passwordConfig()
    const tab = browser(config)
    await enter(tab)
    await tab.post('signout', { callbackUrl: '/board' })
    const elsewhere = await (await browser(config).request('signin?callbackUrl=/board')).text()
    const first = await (await tab.request('signin?callbackUrl=/board')).text()
    const second = await (await tab.request('signin?callbackUrl=/board')).text()
    const isNamed = (html: string) => html.includes('You have signed out.')
    expect([elsewhere, first, second].map(isNamed)).toEqual([false, true, false])
  })

  test.each([
    ['the built-in page', {}, '/auth/signin'],
    ['a page of the application', { pages: { signIn: '/login' } }, '/login'],
  ])('to the sign-in page is not the target of the next sign-in: %s', async (_, more, page) => {
    const { config } = passwordConfig(more)
    const tab = browser(config)
    await enter(tab)
    const signedOut = await tab.post('signout', { callbackUrl: page })
    expect(signedOut.headers.get('location')).toBe(`https://app.test${page}`)
    const shown = await tab.request('signin')
    expect((await enter(tab)).headers.get('location')).toBe('https://app.test')
    if (shown.status !== 200) return
    const html = await shown.text()
    expect(html).toContain('You have signed out.')
    expect(html).toContain('name="callbackUrl" value="https://app.test"')
  })

  test('is named only directly after it, not after a visit of a public page', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const { config } = passwordConfig()
    const tab = browser(config)
    await enter(tab)
    await tab.post('signout', { callbackUrl: 'https://app.test/' })
    vi.advanceTimersByTime(20_000)
    const html = await (await tab.request('signin?callbackUrl=https://app.test/')).text()
    expect(html).not.toContain('You have signed out.')
  })

  test.each([
    ['CredentialsSignin', false],
    ['SessionRequired', true],
  ])('is not mentioned if the page shows an error: %s', async (error, isNamed) => {
    const { config } = passwordConfig()
    const tab = browser(config)
    await enter(tab)
    await tab.post('signout', { callbackUrl: '/board' })
    const html = await (await tab.request(`signin?callbackUrl=/board&error=${error}`)).text()
    expect(html.includes('You have signed out.')).toBe(isNamed)
    expect(html.includes('role="alert"')).toBe(!isNamed)
  })

  test('is confirmed on a page that names the user and leads back', async () => {
    const { config } = passwordConfig()
    const tab = browser(config)
    await enter(tab)
    const html = await (await tab.request('signout?callbackUrl=/board')).text()
    expect(html).toMatch(/You are signed in as <strong>[^<]+<\/strong>/)
    expect(html).toContain('href="https://app.test/board"')
    const anonymous = await (await browser(config).request('signout')).text()
    expect(anonymous).not.toContain('You are signed in as')
  })
})
