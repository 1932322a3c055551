/** Users of the cluster example, whose browsers can use each of its processes. */
import { setTimeout as wait } from 'node:timers/promises'
import type { Session } from '../../src/index.ts'
import { hiddenFields } from '../email.ts'
import { consent } from '../core/flows/consent.mjs'
import { visitor } from './origin/visitor.ts'
import type { Answer } from './origin/visitor.ts'

/** The URLs of a site, its provider and its mail server. */
export interface Place {
  readonly url: string
  readonly issuer: string
  readonly inbox: string
}

/** A visitor with a browser. Each step uses the given port, or nginx. */
export interface ClusterVisitor {
  readonly login: string
  readonly email: string
  /** Starts a sign-in and authenticates at the provider. @returns the callback URL */
  begin(port?: number): Promise<string>
  /** Opens a URL of the site. */
  open(url: string, port?: number): Promise<Answer>
  /** Signs in with the provider. */
  signIn(port?: number): Promise<Answer>
  /** Requests a magic link. @returns the link in the mail */
  requestLink(port?: number): Promise<string>
  /** Opens a magic link, and submits the confirmation page if there is one. */
  followLink(link: string, port?: number): Promise<Answer>
  signOut(port?: number): Promise<Answer>
  /** The address in the session; `null` if the visitor is not signed in. */
  currentEmail(port?: number): Promise<string | null>
}

async function linkTo(email: string, inbox: string, seen: ReadonlySet<string>): Promise<string> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const mails = (await (await fetch(inbox)).json()) as { to: string; text: string }[]
    for (const { to, text } of mails) {
      const link = to === email ? /https?:\S+/.exec(text)?.[0] : undefined
      if (link !== undefined && !seen.has(link)) return link
    }
    await wait(20)
  }
  throw new Error(`There is no mail for ${email}.`)
}

/** Opens a browser for a visitor. */
export function openVisitor({ url, issuer, inbox }: Place, login: string): ClusterVisitor {
  const email = `${login}@example.com`
  const front = Number(new URL(url).port)
  const browser = visitor({ origin: url, port: front })
  const links = new Set<string>()

  async function post(route: string, port: number, fields: object = {}): Promise<Answer> {
    const { text } = await browser.send('/auth/csrf', { port })
    const body = new URLSearchParams({ ...JSON.parse(text), ...fields })
    return browser.send(`/auth/${route}`, { port, method: 'POST', body })
  }

  function open(target: string, port = front): Promise<Answer> {
    const { pathname, search } = new URL(target)
    return browser.send(pathname + search, { port })
  }

  async function begin(port = front): Promise<string> {
    const { location, status } = await post('signin/openid', port)
    if (location?.origin !== issuer) throw new Error(`signin/openid answered with ${status}.`)
    return consent(location, { issuer, login })
  }

  return {
    login,
    email,
    begin,
    open,
    signIn: async (port = front) => open(await begin(port), port),
    async requestLink(port = front) {
      const { status, location } = await post('signin/nodemailer', port, { email })
      if (!location?.pathname.endsWith('/verify-request'))
        throw new Error(`signin/nodemailer answered with ${status}.`)
      const link = await linkTo(email, inbox, links)
      links.add(link)
      return link
    },
    async followLink(link, port = front) {
      const answer = await open(link, port)
      if (answer.status !== 200) return answer
      const [, action = ''] = /<form action="([^"]*)"/.exec(answer.text) ?? []
      const body = new URLSearchParams(hiddenFields(answer.text))
      return browser.send(new URL(action, url).pathname, { port, method: 'POST', body })
    },
    signOut: (port = front) => post('signout', port),
    async currentEmail(port = front) {
      const { status, text } = await browser.send('/auth/session', { port })
      if (status !== 200) throw new Error(`session answered with ${status}.`)
      const session: Session | null = JSON.parse(text)
      return session?.user?.email ?? null
    },
  }
}
