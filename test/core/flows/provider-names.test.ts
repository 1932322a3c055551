import { describe, expect, test } from 'vitest'
import MemoryAdapter from '../../../src/adapters/memory.ts'
import type { AuthConfig } from '../../../src/index.ts'
import { browser } from '../../../src/testing/index.ts'
import { setEnvDefaults } from '../../../src/index.ts'
import ForwardEmail from '../../../src/providers/forwardemail.ts'
import Loops from '../../../src/providers/loops.ts'
import Mailgun from '../../../src/providers/mailgun.ts'
import Nodemailer from '../../../src/providers/nodemailer.ts'
import Postmark from '../../../src/providers/postmark.ts'
import Resend from '../../../src/providers/resend.ts'
import SendGrid from '../../../src/providers/sendgrid.ts'
import { passwordConfig } from '../../config.ts'

type Providers = NonNullable<AuthConfig['providers']>

const SERVER = { server: 'smtp://mail.test' }

function siteWith(providers: Providers, env: Record<string, string> = {}) {
  const { config } = passwordConfig({ providers, adapter: MemoryAdapter() })
  setEnvDefaults(env, config)
  return browser(config)
}

async function buttons(providers: Providers, env?: Record<string, string>) {
  const text = await (await siteWith(providers, env).request('signin')).text()
  return [...text.matchAll(/<button[^>]*>\s*([^<]*?)\s*<\/button>/g)].map(([, label]) => label)
}

describe('several e-mail providers', () => {
  test('have their own names in GET /providers', async () => {
    const providers = [
      Nodemailer(SERVER),
      Resend,
      SendGrid({}),
      Postmark({}),
      Mailgun({}),
      Loops({ transactionalId: 'id' }),
      ForwardEmail({}),
    ]
    const listed = await (await siteWith(providers).request('providers')).json()
    expect(Object.values(listed as object).map(({ name }) => name)).toEqual([
      'Nodemailer',
      'Resend',
      'SendGrid',
      'Postmark',
      'Mailgun',
      'Loops',
      'Forward Email',
    ])
  })

  test('have their own names on the sign-in page', async () => {
    expect(await buttons([Resend, Postmark({})])).toEqual([
      'Continue with Resend',
      'Continue with Postmark',
    ])
    expect(await buttons([Resend({ name: 'Work e-mail' }), Postmark({})])).toEqual([
      'Continue with Work e-mail',
      'Continue with Postmark',
    ])
    expect(await buttons([Nodemailer(SERVER), Nodemailer({ ...SERVER, id: 'news' })])).toEqual([
      'Continue with Nodemailer (nodemailer)',
      'Continue with Nodemailer (news)',
    ])
  })
})

describe('a single e-mail provider', () => {
  test.each<[string, Providers[number], string]>([
    ['a module', Resend({}), 'Continue with e-mail'],
    ['a factory', Resend, 'Continue with e-mail'],
    ['an empty name', Resend({ name: '' }), 'Continue with e-mail'],
    ['a name of the application', Resend({ name: 'Acme mail' }), 'Continue with Acme mail'],
  ])(
    'is called e-mail, unless the application has named it: %s',
    async (_name, provider, label) => {
      expect(await buttons([provider])).toEqual([label])
      expect(await buttons([provider], { AUTH_RESEND_KEY: 'key' })).toEqual([label])
    },
  )
})
