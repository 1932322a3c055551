// @vitest-environment jsdom
import { afterAll, describe, expect, test } from 'vitest'
import { AuthError } from '../../src/errors.ts'
import Email from '../../src/providers/email.ts'
import Nodemailer from '../../src/providers/nodemailer.ts'
import type { NodemailerUserConfig } from '../../src/providers/nodemailer.ts'
import { mailServer } from '../mail-server.ts'
import { LINK, send, TO } from './send-link.ts'

const server = await mailServer()
afterAll(() => server.stop())

/** The mail that the server receives from `send`. */
async function mailOf(
  options: NodemailerUserConfig = {},
  request: Parameters<typeof send>[1] = {},
) {
  const count = server.mails.length
  await send(Nodemailer({ server: server.url, ...options }), request)
  const [mail, ...others] = server.mails.slice(count)
  expect(others).toEqual([])
  if (!mail) throw new Error('The server received no mail.')
  return mail
}

/** The link that is in the HTML of a mail. */
function button(html: string | undefined): HTMLAnchorElement | null {
  return new DOMParser().parseFromString(html ?? '', 'text/html').querySelector('a')
}

describe('the mail', () => {
  test('is sent to the one address that was requested', async () => {
    const mail = await mailOf({ from: 'Example <no-reply@example.com>' })
    expect(mail.envelope.to).toEqual([TO])
    expect(mail.to).toEqual([{ address: TO, name: '' }])
    expect(mail.envelope.from).toBe('no-reply@example.com')
    expect(mail.from).toEqual({ address: 'no-reply@example.com', name: 'Example' })
    expect([mail.cc, mail.bcc, mail.replyTo, mail.attachments]).toEqual([
      undefined,
      undefined,
      undefined,
      [],
    ])
  })

  test('is sent from the host of the site by default', async () => {
    expect((await mailOf()).envelope.from).toBe('no-reply@app.test')
  })

  test('contains host and link, in text and in HTML', async () => {
    const mail = await mailOf()
    expect(mail.subject).toBe('Sign in to app.test')
    expect(mail.text?.replaceAll('\r\n', '\n').trimEnd()).toBe(`Sign in to app.test\n${LINK}`)
    expect(mail.html).toContain('<strong>app\u200b.test</strong>')
    expect(button(mail.html)?.getAttribute('href')).toBe(LINK)
    expect(button(mail.html)?.textContent).toBe('Sign in')
    expect(mail.html).toContain('you can ignore it')
  })

  test.each([
    ['code', '042117', false],
    ['link and code', 'token', true],
  ])('contains a %s, and where to enter the code', async (_name, token, hasLink) => {
    const code = '042117'
    const expires = new Date(Date.now() + 600_000)
    const mail = await mailOf({}, { code, token, expires })
    const text = mail.text?.replaceAll('\r\n', '\n') ?? ''
    expect(mail.subject).toBe('Sign in to app.test')
    expect(text).toContain(
      '\nCode: 042117\nEnter the code only on app.test, in the browser that requested it. It expires in 10 minutes.\n',
    )
    expect(text.includes(LINK)).toBe(hasLink)
    const html = mail.html ?? ''
    expect(html).toContain('>042117</p>')
    expect(html).toContain('It expires in 10 minutes.')
    expect(button(html)?.getAttribute('href')).toBe(hasLink ? LINK : undefined)
  })

  test('contains a long link with = and & unchanged', async () => {
    const url = `https://app.test/auth/callback/x?callbackUrl=${encodeURIComponent(
      `https://app.test/${'a=b&c='.repeat(300)}`,
    )}&token==3D=20=&email=a%2Bb%40example.com`
    const { text, html } = await mailOf({}, { url })
    expect(text).toContain(`\n${url}\n`)
    expect(button(html)?.getAttribute('href')).toBe(url)
  })

  test('does not contain the address, which an attacker can choose', async () => {
    const url = 'https://app.test/auth/callback/nodemailer?token=1'
    const { subject, text, html } = await mailOf({}, { url, identifier: 'eve+pay-me@example.com' })
    expect(`${subject}${text}${html}`).not.toMatch(/eve|pay-me|example\.com/)
  })

  test('contains the port and escapes HTML', async () => {
    const url = `https://app.test:8443/x?a="><script>alert(1)</script>&b='`
    const { subject, html = '' } = await mailOf({}, { url })
    expect(subject).toBe('Sign in to app.test:8443')
    expect(html).not.toContain('<script')
    expect(button(html)?.getAttribute('href')).toBe(url)
  })

  test.each([
    ['Acme', 'Acme', 'Acme'],
    ['acme.com & Co', 'acme.com & Co', 'acme\u200b.com &amp; Co'],
    [
      'Acme\r\nBcc: eve@example.com',
      'Acme Bcc: eve@example.com',
      'Acme Bcc: eve@example\u200b.com',
    ],
    [' ', 'app.test', 'app\u200b.test'],
  ])('names the application as the theme does: %j', async (name, plain, escaped) => {
    const mail = await mailOf({}, { theme: { name } })
    expect(mail.subject).toBe(`Sign in to ${plain}`)
    expect(mail.text).toMatch(new RegExp(`^Sign in to ${plain}\\r?\\n`))
    expect(mail.html).toContain(`<strong>${escaped}</strong>`)
    expect(mail.html).toContain(`<title>Sign in to ${escaped}</title>`)
    expect(mail.bcc).toBeUndefined()
  })

  test('names the host where the code is entered, also of a named application', async () => {
    const { text } = await mailOf({}, { theme: { name: 'Acme' }, code: '042117', token: '042117' })
    expect(text).toContain('Enter the code only on app.test,')
  })

  test('has a button with the colours of the theme', async () => {
    const theme = { brandColor: '#fd0', buttonText: 'navy' }
    const style = button((await mailOf({}, { theme })).html)?.getAttribute('style')
    expect(style).toContain('background: #fd0;')
    expect(style).toContain('color: navy;')
  })

  test('has readable text if only the brand colour is set', async () => {
    const { html } = await mailOf({}, { theme: { brandColor: '#ffdd00' } })
    expect(button(html)?.getAttribute('style')).toContain('color: #000000;')
  })

  test.each(['red; background: url(https://evil.test/)', '"><img src=x>', 'url(x)', '', '#12'])(
    'ignores the invalid colour %j',
    async (color) => {
      const theme = { brandColor: color, buttonText: color }
      const { html = '' } = await mailOf({}, { theme })
      expect(html).not.toMatch(/evil|<img|url\(/)
      expect(button(html)?.getAttribute('style')).toContain('background: #346df1; color: #ffffff;')
    },
  )

  test('is sent by the provider with its former id', async () => {
    const provider = Email({ server: server.url })
    expect(provider).toMatchObject({ id: 'email', name: 'Email', type: 'email' })
    const count = server.mails.length
    await send(provider)
    expect(server.mails).toHaveLength(count + 1)
  })
})

describe('no other recipient gets a mail', () => {
  // With a normalizeIdentifier that accepts everything.
  test.each([
    ['a header', 'ada@example.com\r\nBcc: eve@evil.test'],
    ['a line feed', 'ada@example.com\neve@evil.test'],
    ['a command', 'ada@example.com>\r\nRCPT TO:<eve@evil.test'],
    ['a list', 'ada@example.com,eve@evil.test'],
    ['a list with semicolons', 'ada@example.com;eve@evil.test'],
    ['a list with spaces', 'ada@example.com eve@evil.test'],
    ['a name', 'ada@example.com <eve@evil.test>'],
    ['quotes', '"eve@evil.test"@example.com'],
    ['a comment', 'ada@example.com(@evil.test)'],
    ['a group', 'all:eve@evil.test;'],
    ['two @', 'ada@example.com@evil.test'],
    ['an IP literal', 'ada@[127.0.0.1]'],
    ['a zero-width space', 'ada@example\u200b.com'],
    ['a NUL', 'ada@example.com\0'],
    ['no @', 'ada'],
    ['nothing', ''],
  ])('with %s in the address', async (_name, identifier) => {
    const { all } = server.clients
    const sending = send(Nodemailer({ server: server.url }), { identifier })
    await expect(sending).rejects.toMatchObject({
      type: 'EmailSignInError',
      message: expect.stringContaining('Reject it in normalizeIdentifier'),
    })
    await expect(sending).rejects.not.toThrow(/evil|ada/)
    expect(server.clients.all).toBe(all)
  })
})

describe('the provider', () => {
  test.each([
    ['nothing', undefined],
    ['an empty variable', ''],
    ['a host', 'smtp.example.com'],
    ['a host and a port', 'smtp.example.com:587'],
    ['a web address', 'https://user:hunter2@smtp.example.com'],
    ['an invalid URL', 'smtps://user:hunter2@smtp.example.com:port'],
  ])('with %s as server reports what to set', (_name, given) => {
    for (const factory of [Nodemailer, Email]) {
      expect(() => factory({ server: given })).toThrow(AuthError)
      expect(() => factory({ server: given })).toThrow(
        /Set server to a URL such as smtps:\/\/user:password@smtp\.example\.com, or to options/,
      )
      expect(() => factory({ server: given })).not.toThrow(/hunter2/)
    }
  })

  test('reports the same without a call', () => {
    expect(() => Nodemailer()).toThrow(/has no valid server/)
    expect(() => Email()).toThrow(/has no valid server/)
  })

  test('does not mutate its options', async () => {
    const options = Object.freeze({
      server: Object.freeze({ host: server.host, port: server.port }),
    })
    await mailOf(options)
    expect(options).toEqual({ server: { host: server.host, port: server.port } })
  })
})
