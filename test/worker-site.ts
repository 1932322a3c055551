/** Provider, mail server and browsers for a site in `workerd`. */
import { expect } from 'vitest'
import { issuer } from '../src/testing/index.ts'
import { hiddenFields } from './email.ts'
import type { Authenticator } from './core/flows/webauthn/authenticator.ts'
import type { OptionsReply } from './core/flows/webauthn/site.ts'
import { visitor } from './e2e/origin/visitor.ts'
import type { Answer } from './e2e/origin/visitor.ts'

export async function workerSite() {
  const op = await issuer({ algorithm: 'ES256', clientSecret: 'client secret' })
  const links = new Map<string, string>()

  /** The targets of outbound requests of the worker: provider and mail server. */
  async function outside(request: Request): Promise<Response> {
    if (new URL(request.url).origin === op.url) return op.fetch(request)
    const { to, url }: { to: string; url: string } = await request.json()
    links.set(to, url)
    return new Response()
  }

  /** A browser on the site in the worker. */
  function open(origin: string) {
    const person = visitor({ origin, port: Number(new URL(origin).port) })

    async function post(route: string, fields: Readonly<Record<string, string>> = {}) {
      const csrf: { csrfToken: string } = JSON.parse((await person.send('/auth/csrf')).text)
      const body = new URLSearchParams({ ...csrf, ...fields })
      return person.send(`/auth/${route}`, { method: 'POST', body })
    }

    /** Completes a ceremony; registers if there is an address. */
    async function usePasskey(passkey: Authenticator, email?: string): Promise<Answer> {
      const action = email === undefined ? 'authenticate' : 'register'
      const query = new URLSearchParams({ action, ...(email !== undefined && { email }) })
      const { text } = await person.send(`/auth/webauthn-options/passkey?${query}`)
      const { options }: OptionsReply = JSON.parse(text)
      const credential = action === 'register' ? passkey.create(options) : passkey.get(options)
      return post('callback/passkey', { action, data: JSON.stringify(credential) })
    }

    const get = ({ pathname, search }: URL) => person.send(pathname + search)

    return {
      post,
      usePasskey,
      enter: (email: string, password = 'correct horse battery staple') =>
        post('callback/password', { email, password }),
      async signIn(who: { readonly sub: string; readonly email: string }) {
        const { location } = await post('signin/op')
        const { url } = await op.authorize(location ?? '', who)
        return get(new URL(url))
      },
      async requestLink(email: string) {
        await post('signin/email', { email })
        return new URL(links.get(email) ?? '')
      },
      async follow(link: URL): Promise<Answer> {
        const page = await get(link)
        if (page.status !== 200) return page
        const [, action = ''] = /<form action="([^"]*)"/.exec(page.text) ?? []
        const body = new URLSearchParams(hiddenFields(page.text))
        return person.send(new URL(action, origin).pathname, { method: 'POST', body })
      },
      async email(): Promise<string | undefined> {
        const { status, text } = await person.send('/auth/session')
        expect(status).toBe(200)
        return JSON.parse(text)?.user.email
      },
    }
  }

  return { outside, open }
}
