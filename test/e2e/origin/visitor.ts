/** A test browser whose requests can go to another port than the one in its address bar. */
import { request as requestHttp } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { text } from 'node:stream/consumers'
import { cookieStore } from '../../../src/testing/cookies.ts'
import type { CookieStore } from '../../../src/testing/cookies.ts'

/** The origin in the address bar, and where requests are sent to. */
export interface Address {
  /** Origin in the address bar. */
  readonly origin: string
  readonly port: number
  /** @default that of `origin` */
  readonly tls?: boolean
  /** Sent with each request. */
  readonly headers?: Readonly<Record<string, string>>
}

/** A response. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Set-Cookie headers. */
  readonly set: readonly string[]
  /** Target of the redirect, as an absolute URL. */
  readonly location: URL | undefined
}

interface Sent {
  /** Port of this request. @default that of the address */
  readonly port?: number
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: URLSearchParams | FormData
}

/** A test browser. */
export interface Visitor {
  readonly origin: string
  readonly cookies: CookieStore
  send(path: string, sent?: Sent): Promise<Answer>
  /** Sends the form of a page that runs a server action, as a browser without scripts does. */
  submit(path: string, id: string, fields?: Readonly<Record<string, string>>): Promise<Answer>
}

/** Opens a test browser. */
export function visitor({ origin, port, tls, headers: own }: Address): Visitor {
  const cookies = cookieStore()
  const site = new URL(origin)
  const send = (tls ?? site.protocol === 'https:') ? requestHttps : requestHttp

  async function sendRequest(path: string, sent: Sent = {}): Promise<Answer> {
    const { method = 'GET', headers, body } = sent
    const url = new URL(origin + path)
    const encoded = body && new Response(body)
    const type = encoded?.headers.get('content-type')
    const cookie = cookies.header({ url, method, initiator: 'same-site' })
    const call = send({
      host: '127.0.0.1',
      port: sent.port ?? port,
      method,
      // Not as a URL, which would resolve dot segments.
      path,
      rejectUnauthorized: false,
      agent: false,
      headers: {
        host: site.host,
        ...(cookie && { cookie }),
        ...(type && { 'content-type': type, origin }),
        ...own,
        ...headers,
      },
    })
    call.end(encoded && Buffer.from(await encoded.arrayBuffer()))
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      call.once('response', resolve)
      call.once('error', reject)
    })
    const set = response.headers['set-cookie'] ?? []
    for (const each of set) cookies.accept(each, site)
    const answered = new Headers()
    for (const [name, value] of Object.entries(response.headers))
      if (value !== undefined) answered.set(name, String(value))
    const { location } = response.headers
    return {
      status: response.statusCode ?? 0,
      headers: answered,
      text: await text(response),
      set,
      location: location === undefined ? undefined : new URL(location, url),
    }
  }

  return {
    origin,
    cookies,
    send: sendRequest,
    async submit(path, id, fields = {}) {
      const page = await sendRequest(path)
      const form = new RegExp(`<form id="${id}".*?</form>`, 's').exec(page.text)?.[0] ?? ''
      const body = new FormData()
      for (const [, name = ''] of form.matchAll(/name="(\$ACTION[^"]*)"/g)) body.set(name, '')
      for (const [name, value] of Object.entries(fields)) body.set(name, value)
      return sendRequest(path, { method: 'POST', body, headers: { referer: origin + path } })
    },
  }
}
