/** Providers that send magic links through the HTTP API of a mail service. */
import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import MemoryAdapter from '../../src/adapters/memory.ts'
import type { EmailConfig, EmailUserConfig } from '../../src/core/config/email.ts'
import { setEnvDefaults } from '../../src/index.ts'
import type { AuthConfig } from '../../src/index.ts'
import ForwardEmail from '../../src/providers/forwardemail.ts'
import Loops from '../../src/providers/loops.ts'
import MailGun from '../../src/providers/mailgun.ts'
import Postmark from '../../src/providers/postmark.ts'
import Resend from '../../src/providers/resend.ts'
import SendGrid from '../../src/providers/sendgrid.ts'
import { browser } from '../../src/testing/index.ts'
import { SECRET, silentLog } from '../config.ts'
import type { Log } from '../config.ts'

const FROM = 'Example <no-reply@example.com>'
const TO = 'ada@example.com'
const TEMPLATE = 'clfn0k1yg001imo0fdeqg30i8'
const KEY = 'key-123'

type Fields = Readonly<Record<string, unknown>>
type Options = EmailUserConfig & { readonly region?: 'US' | 'EU' }

interface Expected {
  readonly url: string
  readonly header: readonly [name: string, value: string]
  /** The members of the body, given those of the mail. */
  readonly body: (mail: Fields) => Fields
}

const basic = (credentials: string) => ['authorization', `Basic ${btoa(credentials)}`] as const
const bearer = ['authorization', `Bearer ${KEY}`] as const
const plain = ({ subject, text, html }: Fields) => ({ from: FROM, to: TO, subject, text, html })
const personalized = ({ subject, text, html }: Fields) => ({
  personalizations: [{ to: [{ email: TO }] }],
  from: { email: 'no-reply@example.com', name: 'Example' },
  subject,
  content: [
    { type: 'text/plain', value: text },
    { type: 'text/html', value: html },
  ],
})

const services: readonly (readonly [string, (options?: Options) => EmailConfig, Expected])[] = [
  ['resend', Resend, { url: 'https://api.resend.com/emails', header: bearer, body: plain }],
  [
    'forwardemail',
    ForwardEmail,
    { url: 'https://api.forwardemail.net/v1/emails', header: basic(`${KEY}:`), body: plain },
  ],
  [
    'postmark',
    Postmark,
    {
      url: 'https://api.postmarkapp.com/email',
      header: ['x-postmark-server-token', KEY],
      body: ({ subject, text, html }) => ({
        From: FROM,
        To: TO,
        Subject: subject,
        TextBody: text,
        HtmlBody: html,
        MessageStream: 'outbound',
      }),
    },
  ],
  [
    'sendgrid',
    SendGrid,
    { url: 'https://api.sendgrid.com/v3/mail/send', header: bearer, body: personalized },
  ],
  [
    'mailgun',
    MailGun,
    {
      url: 'https://api.mailgun.net/v3/example.com/messages',
      header: basic(`api:${KEY}`),
      body: plain,
    },
  ],
  [
    'loops',
    (options) => Loops({ transactionalId: TEMPLATE, ...options }),
    {
      url: 'https://app.loops.so/api/v1/transactional',
      header: bearer,
      body: ({ url }) => ({ transactionalId: TEMPLATE, email: TO, dataVariables: { url } }),
    },
  ],
]

function siteWith(provider: EmailConfig, response: () => Response, env: Fields = {}) {
  const { log, logger } = silentLog()
  const sent: Request[] = []
  const config: AuthConfig = {
    providers: [provider],
    adapter: MemoryAdapter(),
    secret: SECRET,
    trustHost: true,
    logger,
    fetch: async (input, init) => {
      sent.push(new Request(input, init))
      return response()
    },
  }
  setEnvDefaults(env, config)
  const tab = browser(config)
  const submit = () => tab.post(`signin/${provider.id}`, { email: TO })
  return { tab, log, sent, submit }
}

/** The logged errors, with their causes. */
function reported({ errors }: Log): string {
  expect(errors).toHaveLength(1)
  return inspect(errors, { depth: Infinity })
}

async function bodyOf(request: Request): Promise<Fields> {
  const isForm = request.headers.get('content-type')?.startsWith('multipart/form-data')
  if (!isForm) return request.json()
  // A form has CRLF as line break.
  const fields = [...(await request.formData())]
  return Object.fromEntries(
    fields.map(([name, value]) => [
      name,
      typeof value === 'string' ? value.replaceAll('\r\n', '\n') : value,
    ]),
  )
}

/** Subject, texts and link of the mail, wherever the service expects them. */
function mailIn(body: Fields): Fields {
  const everything = JSON.stringify(body)
  const link = /https:\/\/app\.test\/auth\/callback\/[^\s"\\<]+/.exec(everything)?.[0]
  const values = [body, ...[body['content']].flat().map(Object)].flatMap(Object.values)
  const texts = values.filter((value): value is string => typeof value === 'string')
  return {
    subject: texts.find((text) => text === 'Sign in to app.test'),
    text: texts.find((text) => text.startsWith('Sign in to app.test\n')),
    html: texts.find((text) => text.startsWith('<!doctype html>')),
    url: link,
  }
}

describe.each(services)('%s', (id, factory, expected) => {
  test('sends the magic link', async () => {
    const site = siteWith(factory({ apiKey: KEY, from: FROM }), () => new Response(null))
    const response = await site.submit()
    expect(site.log.errors).toEqual([])
    expect(response.headers.get('location')).toContain('/auth/verify-request')
    const [request] = site.sent
    expect(site.sent).toHaveLength(1)
    expect(request?.method).toBe('POST')
    expect(request?.url).toBe(expected.url)
    const [name, value] = expected.header
    expect(request?.headers.get(name)).toBe(value)
    const body = request && (await bodyOf(request))
    const mail = mailIn(body ?? {})
    expect(mail['url']).toContain(`/auth/callback/${id}?`)
    expect(body).toEqual(expected.body(mail))
  })

  test.each([
    ['code', false],
    ['both', true],
  ] as const)('sends what method %s contains', async (method, hasLink) => {
    const provider = factory({ apiKey: KEY, from: FROM, method })
    const site = siteWith(provider, () => new Response(null))
    await site.submit()
    const [request] = site.sent
    const text = JSON.stringify(request && (await bodyOf(request)))
    const [, code = ''] = /(?:Code: |"code":")(\d{6})/.exec(text) ?? []
    expect(text.includes('/auth/callback/')).toBe(hasLink)
    const answer = await site.tab.post(`callback/${id}`, { code })
    expect(answer.headers.get('location')).toBe('https://app.test')
  })

  test('reads the key from the environment', async () => {
    const env = { [`AUTH_${id.toUpperCase()}_KEY`]: KEY }
    const site = siteWith(factory({ from: FROM }), () => new Response(null), env)
    await site.submit()
    const [name, value] = expected.header
    expect(site.sent[0]?.headers.get(name)).toBe(value)
  })

  test('reports a missing key', async () => {
    const site = siteWith(factory({ from: FROM }), () => new Response(null))
    await site.submit()
    expect(site.sent).toEqual([])
    expect(reported(site.log)).toContain(`Set it, or AUTH_${id.toUpperCase()}_KEY`)
  })

  test('reports why the service rejected the mail, without the key', async () => {
    const rejection = () => new Response(`bad sender, key ${KEY}`, { status: 422 })
    const site = siteWith(factory({ apiKey: KEY, from: FROM }), rejection)
    const response = await site.submit()
    expect(response.headers.get('location')).toContain('error=EmailSignInError')
    expect(reported(site.log)).toContain('did not accept the mail (status 422): bad sender')
    expect(reported(site.log)).not.toContain(KEY)
  })

  test.each([0, 496])(
    'redacts the header that a service repeats after %i characters',
    async (at) => {
      const [, value] = expected.header
      const secret = value.replace(/^\w+ /, '')
      const rejection = () => new Response(`${'x'.repeat(at)}${secret}`, { status: 400 })
      const site = siteWith(factory({ apiKey: KEY, from: FROM }), rejection)
      await site.submit()
      const answer = `${'x'.repeat(at)}[redacted]`.slice(0, 500)
      expect(reported(site.log)).toContain(`(status 400): ${answer}.`)
    },
  )

  test('reports that the service cannot be reached', async () => {
    const site = siteWith(factory({ apiKey: KEY, from: FROM }), () => {
      throw new TypeError('fetch failed')
    })
    const response = await site.submit()
    expect(response.headers.get('location')).toContain('error=EmailSignInError')
    expect(site.sent).toHaveLength(1)
  })
})

test.each([
  ['mailgun', MailGun, 'https://api.eu.mailgun.net/v3/example.com/messages'],
  ['sendgrid', SendGrid, 'https://api.eu.sendgrid.com/v3/mail/send'],
])('%s sends through the region of the account', async (_id, factory, url) => {
  const options: Options = { apiKey: KEY, from: 'no-reply@example.com', region: 'EU' }
  const site = siteWith(factory(options), () => new Response(null))
  await site.submit()
  expect(site.sent[0]?.url).toBe(url)
})

test.each([MailGun, SendGrid])('an unknown region is rejected', (factory) => {
  const options: object = { region: 'AP' }
  expect(() => factory(options)).toThrow('Set region to US or EU.')
})

test('Loops without a template is rejected', () => {
  expect(() => Loops()).toThrow('Provider loops has no transactionalId.')
})
