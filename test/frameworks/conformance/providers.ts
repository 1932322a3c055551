/** Sign-in at providers and by magic link. */
import { beforeAll, expect, test } from 'vitest'
import memory from '../../../src/adapters/memory.ts'
import type { OAuth2Config } from '../../../src/core/config/provider.ts'
import type { VerificationRequest } from '../../../src/core/config/email.ts'
import { oidc } from '../../config.ts'
import { hiddenFields, mailProvider, wrongCode } from '../../email.ts'
import type { Answer, RawClient } from '../raw-client.ts'
import { consent, follow, isSession, nameOf, op } from './site.ts'
import type { Exceptions } from './index.ts'
import type { Open, OpenSite } from './site.ts'

const HTTPS = 'https://app.test'

const oauth: OAuth2Config = {
  id: 'oauth',
  name: 'Test OAuth',
  type: 'oauth',
  authorization: `${op.url}/authorize`,
  token: `${op.url}/token`,
  userinfo: `${op.url}/userinfo`,
  clientId: op.clientId,
  clientSecret: op.clientSecret,
  profile: ({ sub, name }) => ({ id: String(sub), name: String(name) }),
}

const formPost = oidc(op, {
  id: 'post',
  authorization: { params: { response_mode: 'form_post' } },
})

/** Starts the flow of a magic link. */
async function requestLink(user: RawClient): Promise<void> {
  const form = { csrfToken: await user.csrfToken(), email: 'ada@example.com' }
  expect((await user.send(`${user.basePath}/signin/email`, { form })).status).toBe(302)
}

/** Submits the page that a browser shows which did not request the link. */
function confirm(user: RawClient, { body }: Answer): Promise<Answer> {
  const [, action = ''] = /<form action="([^"]*)"/.exec(body) ?? []
  return user.send(new URL(action, HTTPS).pathname, { form: hiddenFields(body) })
}

/** The attributes of a cookie, without times. */
function attributesOf(cookie: string): string[] {
  const parts = cookie.split('; ').slice(1)
  return parts.filter((each) => !/^(?:Max-Age|Expires)=/.test(each)).toSorted()
}

export function providerRows(open: Open, exceptions: Exceptions): void {
  let site: OpenSite
  const mails: VerificationRequest[] = []
  beforeAll(async () => {
    const codes = mailProvider(mails, { id: 'code', method: 'code' })
    const providers = [oidc(op), oauth, formPost, mailProvider(mails), codes]
    site = await open({
      overrides: { providers, adapter: memory(), session: { strategy: 'jwt' } },
    })
  })

  test('signs in with a code from an e-mail, after a wrong one', async () => {
    const user = site.user()
    const csrfToken = await user.csrfToken()
    const asked = await user.send(`${open.basePath}/signin/code`, {
      form: { csrfToken, email: 'ada@example.com', callbackUrl: '/page' },
    })
    expect(asked.headers.location).toContain('/verify-request?provider=code&type=email')
    const code = mails.at(-1)?.code ?? ''
    const enter = (typed: string) =>
      user.send(`${open.basePath}/callback/code`, { form: { csrfToken, code: typed } })
    const wrong = await enter(wrongCode(code))
    expect([wrong.status, wrong.headers.location]).toEqual([
      302,
      `${site.origin}${open.basePath}/verify-request?provider=code&type=email&error=Verification&code=invalid_code`,
    ])
    const page = await user.send(new URL(wrong.headers.location ?? '').pathname + '?provider=code')
    expect(page.body).toContain('autocomplete="one-time-code"')
    const answer = await enter(code)
    expect([answer.status, answer.headers.location]).toEqual([302, `${site.origin}/page`])
    expect(answer.setCookies.filter(isSession)).toHaveLength(1)
  })

  test('signs in at an OAuth provider, with a transaction cookie that is used once', async () => {
    const user = site.user()
    const { begun, url } = await consent(user, 'oauth')
    const transaction = begun.setCookies.find((each) => each.startsWith('lib.state.')) ?? ''
    expect(attributesOf(transaction)).toEqual(['HttpOnly', 'Path=/', 'SameSite=Lax'])
    const answer = await follow(user, url)
    expect([answer.status, answer.headers.location]).toEqual([302, `${site.origin}/page`])
    const name = transaction.split('=', 1)[0] ?? ''
    expect(answer.setCookies.filter(isSession)).toHaveLength(1)
    expect(answer.setCookies.find((each) => each.startsWith(`${name}=`))).toMatch(/Max-Age=0|1970/)
    expect(nameOf(await user.send('/me'))).toBe('Ada Lovelace')
  })

  test('signs in with the form that a provider posts (form_post)', async () => {
    const secure = await open({ overrides: { providers: [formPost], origin: HTTPS } })
    const user = secure.user(HTTPS)
    const json = { csrfToken: await user.csrfToken(), callbackUrl: '/page' }
    const headers = { 'x-auth-return-redirect': '1' }
    const begun = await user.send(`${open.basePath}/signin/post`, { json, headers })
    const { form = new URLSearchParams() } = await op.authorize(JSON.parse(begun.body).url)
    const posted = await user.send(`${open.basePath}/callback/post`, {
      form,
      initiator: 'cross-site',
      headers: { origin: op.url, 'sec-fetch-site': 'cross-site' },
    })
    expect(posted.status).toBe(exceptions.rejectsForeignForms ? 403 : 303)
    if (exceptions.rejectsForeignForms) return
    const answer = await follow(user, posted.headers.location)
    expect([answer.status, answer.headers.location]).toEqual([302, `${HTTPS}/page`])
    expect(nameOf(await user.send('/me'))).toBe('Ada Lovelace')
  })

  test('shows an error if the provider returns one, or the response belongs to no transaction', async () => {
    const user = site.user()
    const { url } = await consent(user)
    const denied = new URL(url)
    denied.searchParams.delete('code')
    denied.searchParams.set('error', 'access_denied')
    const other = site.user()
    for (const [browser, target] of [
      [user, denied.href],
      [other, url],
    ] as const) {
      const answer = await follow(browser, target)
      expect(answer.status).toBe(302)
      expect(answer.headers.location).toMatch(/\/(?:signin|error)\?error=\w+/)
      expect(answer.setCookies.some(isSession)).toBe(false)
      const page = await follow(browser, answer.headers.location)
      expect(page.headers['content-type']).toContain('text/html')
      expect((await browser.send('/me')).body).toBe('null')
    }
  })

  test('signs in with a magic link in the browser that requested it', async () => {
    const user = site.user()
    await requestLink(user)
    const link = mails.at(-1)?.url
    const answer = await follow(user, link)
    expect(answer.status).toBe(302)
    expect(JSON.parse((await user.send(open.data)).body)?.user.email).toBe('ada@example.com')
    const spent = await confirm(user, await follow(user, link))
    expect(spent.headers.location).toContain('error=Verification')
  })

  test('asks for confirmation of a magic link that is opened in another browser', async () => {
    await requestLink(site.user())
    const link = mails.at(-1)?.url ?? ''
    const other = site.user()
    const page = await follow(other, link)
    expect([page.status, page.setCookies.some(isSession)]).toEqual([200, false])
    const answer = await confirm(other, page)
    expect(answer.setCookies.filter(isSession)).toHaveLength(1)
    expect(JSON.parse((await other.send(open.data)).body)?.user.email).toBe('ada@example.com')
  })
}
