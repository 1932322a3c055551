/** Mails of the account functions: who sends them, what they contain, and what a failure changes. */
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { AccountMail } from '../../../src/account.ts'
import type { AccountMailFacts } from '../../../src/core/mail/account-mail.ts'
import { accountMail } from '../../../src/core/mail/content.ts'
import type { AuthConfig } from '../../../src/index.ts'
import Loops from '../../../src/providers/loops.ts'
import Nodemailer from '../../../src/providers/nodemailer.ts'
import Resend from '../../../src/providers/resend.ts'
import { errorTypes } from '../../database.ts'
import { mailProvider } from '../../email.ts'
import { mailServer } from '../../mail-server.ts'
import { addPasskey, withPasskeys } from '../../passkeys.ts'
import { removePasskey } from '../../../src/passkeys.ts'
import { pass, stopClock, until } from '../../sessions.ts'
import { oidc } from '../../config.ts'
import { accountSite, actions, op, requestOf, valueOf } from './account-site.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
})

const SECOND = { provider: 'other', providerAccountId: 'second' }

/** A site that collects its mails. */
async function mailingSite(config: Omit<Partial<AuthConfig>, 'callbacks'> = {}) {
  const mails: AccountMail[] = []
  const account = { send: (mail: AccountMail) => void mails.push(mail), ...config.account }
  const site = await accountSite({ config: { ...config, account } })
  return { ...site, mails }
}

const reasonOf = ({ cause }: Error) => String(Reflect.get(Object(cause), 'err'))

const noticesOf = (mails: readonly AccountMail[]) =>
  mails.map((mail) => (mail.kind === 'notice' ? mail.notice : mail.kind))

describe('the advice of a mail', () => {
  const user = { id: '1', name: 'Ada', email: 'ada@example.com', emailVerified: null }
  const mailOf = (facts: object) => {
    const all: object = { to: 'ada@example.com', user, ...facts }
    return accountMail(all as AccountMailFacts, { theme: {}, host: 'app.test' }).text
  }

  test.each([
    ['passkey-added', 'sign in and undo it.'],
    ['factor-removed', 'sign in and undo it.'],
    ['password-changed', 'request a new password on the sign-in page.'],
    ['password-removed', 'request a new password on the sign-in page.'],
    ['users-merged', 'contact app.test.'],
    ['merged-into', 'contact app.test.'],
    ['recovery-code-used', 'contact app.test.'],
  ])('about %s is possible for a user who did not do it', (change, advice) => {
    expect(mailOf({ kind: 'notice', notice: { change, left: 3 } })).toContain(`If not, ${advice}`)
  })

  test('to the current address of a change that the user did not request is not to ignore it', () => {
    const facts = { kind: 'address-change', address: 'new@example.com', url: 'https://app.test/x' }
    const text = mailOf({ ...facts, expires: new Date(), mailbox: 'current' })
    expect(text).toContain('If that was not you, do not confirm it')
    expect(text).not.toContain('ignore')
    expect(mailOf({ ...facts, expires: new Date(), mailbox: 'new' })).toContain('ignore')
  })
})

describe('notices', () => {
  test('go out for a linked and an unlinked account, and not for the sign-up', async () => {
    const { mails, ...site } = await mailingSite()
    expect(mails).toEqual([])
    const { link, unlink } = actions(site)
    await link('other')
    await unlink(SECOND)
    expect(noticesOf(mails)).toEqual([
      { change: 'account-linked', provider: 'Other OP' },
      { change: 'account-unlinked', provider: 'Other OP' },
    ])
    const [linked] = mails
    expect(linked).toMatchObject({
      kind: 'notice',
      to: 'ada@example.com',
      subject: 'Your account at app.test has changed',
      user: { id: site.userId },
    })
    expect(linked?.text).toContain('You can now sign in with Other OP.')
    expect(linked?.html).toContain('You can now sign in with Other OP.')
    expect(linked?.url).toBeUndefined()
  })

  test('go out for a removed passkey', async () => {
    const { mails, ...site } = await mailingSite()
    const config = withPasskeys(site.config)
    const id = await addPasskey(site.stored, site.userId)
    await valueOf(site.tab, removePasskey(requestOf(site.tab), config, id))
    expect(noticesOf(mails)).toEqual([{ change: 'passkey-removed' }])
  })

  test('need the option account', async () => {
    const mails: AccountMail[] = []
    const site = await accountSite({ config: { account: undefined } })
    const config = withPasskeys(site.config)
    const id = await addPasskey(site.stored, site.userId)
    await valueOf(site.tab, removePasskey(requestOf(site.tab), config, id))
    expect([mails, site.log.errors]).toEqual([[], []])
  })

  test.each([
    ['throws', () => Promise.reject(new Error('No route to the host, for ada@example.com.'))],
    [
      'throws at once',
      () => {
        throw new Error('ada@example.com')
      },
    ],
  ])('that %s changes nothing else', async (_title, send) => {
    const site = await accountSite({ config: { account: { send } } })
    const { link, unlink, list } = actions(site)
    expect(await link('other')).toBe('https://app.test/account')
    expect(await unlink(SECOND)).toMatchObject(SECOND)
    expect(await list()).toHaveLength(1)
    expect(errorTypes(site.log)).toEqual(['AccountMailError', 'AccountMailError'])
    const failed = site.audited.filter(({ type }) => type === 'mail.failed')
    expect(failed).toHaveLength(2)
    expect(failed[0]).toMatchObject({
      outcome: 'failure',
      target: { kind: 'user', id: site.userId },
    })
    for (const error of site.log.errors) expect(reasonOf(error)).not.toContain('ada@')
  })

  test('delay the response for at most two seconds', async () => {
    stopClock()
    const begun: AccountMail[] = []
    const send = (mail: AccountMail) => {
      begun.push(mail)
      return new Promise<void>(() => undefined)
    }
    const site = await accountSite({ config: { account: { send } } })
    await site.stored.linkAccount?.({ ...SECOND, type: 'oidc', userId: site.userId })
    const work = actions(site).unlink(SECOND)
    await until(() => begun.length > 0)
    await pass(2)
    expect(await work).toMatchObject(SECOND)
  })

  test('are limited per user, and the limit is in the audit log', async () => {
    const { mails, ...site } = await mailingSite({
      protection: { limits: { notice: { burst: 2, per: 3600 } } },
    })
    const { link, unlink } = actions(site)
    for (let round = 0; round < 2; round++) {
      await link('other')
      await unlink(SECOND)
    }
    expect(mails).toHaveLength(2)
    const limited = site.audited.filter(({ type }) => type === 'attempt.limited')
    expect(limited.map(({ limit }) => limit)).toEqual(['notice', 'notice'])
  })

  test('are not sent to a text that is not one plain address', async () => {
    const { mails, ...site } = await mailingSite()
    await site.stored.updateUser?.({ id: site.userId, email: 'ada@example.com,eve@example.com' })
    await actions(site).link('other')
    expect(mails).toEqual([])
    expect(errorTypes(site.log)).toEqual(['AccountMailError'])
  })

  test.each([
    ['development', 1],
    ['production', 0],
  ])('without a transport are off, with a warning in %s', async (environment, count) => {
    const site = await accountSite()
    vi.stubEnv('NODE_ENV', environment)
    const { link, unlink } = actions(site)
    await link('other')
    await unlink(SECOND)
    const warnings = site.log.lines.filter(([, code]) => code === 'no-account-mail')
    expect(warnings).toHaveLength(count)
    expect(errorTypes(site.log)).toEqual([])
  })

  test('escape names, and have no link but that of the button', async () => {
    const { mails, ...site } = await mailingSite({
      theme: { name: 'Evil <script>\r\nBcc: eve@example.com', brandColor: '#900' },
      providers: [oidc(op), oidc(op, { id: 'other', name: '<b>evil.example</b>' })],
    })
    await actions(site).link('other')
    const [mail] = mails
    expect(mail?.subject).toBe('Your account at Evil <script> Bcc: eve@example.com has changed')
    expect(mail?.html).not.toMatch(/<script|<b>|evil\.example/)
    expect(mail?.html).toContain('&lt;b&gt;evil\u200b.example&lt;/b&gt;')
  })

  test('are in the language of the configuration', async () => {
    const messages = {
      lang: 'de',
      noticeTitle: 'Ihr Konto bei {site}',
      noticeAccountLinked: 'Anmeldung mit {provider} ist nun möglich.',
    }
    const { mails, ...site } = await mailingSite({ theme: { messages } })
    await actions(site).link('other')
    const [mail] = mails
    expect(mail?.subject).toBe('Ihr Konto bei app.test')
    expect(mail?.html).toContain('<html lang="de">')
    expect(mail?.text).toContain('Anmeldung mit Other OP ist nun möglich.')
  })
})

describe('the e-mail provider', () => {
  test('sends the mails through its mail server', async () => {
    const server = await mailServer()
    try {
      const mail = Nodemailer({ server: server.url, from: 'Example <no-reply@example.com>' })
      const site = await accountSite({
        config: { providers: [oidc(op), oidc(op, { id: 'other' }), mail] },
      })
      await actions(site).link('other')
      expect(errorTypes(site.log)).toEqual([])
      expect(server.mails).toHaveLength(1)
      expect(server.mails[0]?.envelope.to).toEqual(['ada@example.com'])
      expect(server.mails[0]?.subject).toBe('Your account at app.test has changed')
    } finally {
      await server.stop()
    }
  })

  test('sends the mails through its service, and is redacted in its errors', async () => {
    const sent: unknown[] = []
    let status = 200
    const site = await accountSite({
      config: {
        providers: [oidc(op), oidc(op, { id: 'other' }), Resend({ apiKey: 'key-of-ada' })],
        fetch: async (input, init) => {
          const request = new Request(input, init)
          if (!request.url.startsWith('https://api.resend.com/')) return op.fetch(request)
          sent.push(await request.json())
          return new Response('refused: key-of-ada ada@example.com', { status })
        },
      },
    })
    const { link, unlink } = actions(site)
    await link('other')
    status = 422
    await unlink(SECOND)
    expect(sent).toHaveLength(2)
    expect(sent[0]).toMatchObject({ from: 'no-reply@app.test', to: 'ada@example.com' })
    expect(errorTypes(site.log)).toEqual(['AccountMailError'])
    for (const error of site.log.errors) expect(reasonOf(error)).toMatch(/status 422/)
    for (const error of site.log.errors) expect(reasonOf(error)).not.toMatch(/key-of-ada|ada@/)
  })

  test.each([
    ['has only templates', Loops({ transactionalId: 'x', apiKey: 'y' })],
    ['is of the application', mailProvider([])],
    ['sends its sign-in mails itself', Resend({ sendVerificationRequest: () => undefined })],
  ])('that %s sends none', async (_title, provider) => {
    const site = await accountSite({
      config: { providers: [oidc(op), oidc(op, { id: 'other' }), provider] },
    })
    await actions(site).link('other')
    expect(errorTypes(site.log)).toEqual([])
    expect(provider.sendMail).toBeUndefined()
  })
})
