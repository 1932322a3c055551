/** Ways from a browser to the application, and what people see in the address bar. */
import { startNginx } from '../../tools/nginx.mjs'
import type { Lab, Server } from './lab.ts'
import type { Address } from './visitor.ts'

/** What somebody sends who would like links to lead elsewhere. */
const SPOOFED = {
  'x-forwarded-host': 'evil.test',
  'x-forwarded-proto': 'javascript',
  'x-forwarded-port': '666',
  'x-forwarded-server': 'evil.test',
  'x-original-host': 'evil.test',
  'x-host': 'evil.test',
  'x-original-url': '/evil',
  'x-rewrite-url': '/evil',
  forwarded: 'host=evil.test;proto=http',
}

const LISTS = { 'x-forwarded-host': 'evil.test, other.test', 'x-forwarded-proto': 'http, http' }

/** The sites: where the address bar says what, and nginx in front of it or not. */
export interface Ways {
  readonly of: (name: WayName) => Address
  stop(): Promise<void>
}

export const WAY_NAMES = [
  'directly',
  'directly, by the number of the machine',
  'directly, by a name, with spoofed headers',
  'from a container',
  'from a container, by a name',
  'through nginx that keeps the host',
  'through nginx that keeps the host, with spoofed headers',
  'through nginx that puts its own host',
  'through nginx that puts its own host, with spoofed headers',
  'through nginx without https, on another port',
  'through two nginx that write lists',
  'through two nginx that write lists, the first one behind a spoofed list',
  'with AUTH_URL, directly',
  'with AUTH_URL, under another name',
  'with AUTH_URL, with spoofed headers',
  'with AUTH_URL, through nginx that says nothing about it',
] as const

/** Enough to see that a way of building makes no difference. */
export const SOME_WAYS: readonly WayName[] = [
  'directly',
  'through nginx that puts its own host, with spoofed headers',
  'through two nginx that write lists',
  'with AUTH_URL, under another name',
]

export type WayName = (typeof WAY_NAMES)[number]

const SITE = 'https://app.test'

const SCHEME = { 'X-Forwarded-Proto': '$scheme' }

/** Starts the application three times, and nginx before it. */
export async function openWays(lab: Lab, env: Readonly<Record<string, string>>): Promise<Ways> {
  const servers: Server[] = []
  const startServer = async (own: Record<string, string>, hostname?: string) => {
    const server = await lab.start({ ...env, ...own }, hostname)
    servers.push(server)
    return server.port
  }
  const trusting = { AUTH_TRUST_HOST: 'true' }
  const app = await startServer(trusting)
  const container = await startServer(trusting, '0.0.0.0')
  const fixed = await startServer({ AUTH_URL: SITE }, '0.0.0.0')

  const appended = {
    'X-Forwarded-Host': '$http_x_forwarded_host, $host',
    'X-Forwarded-Proto': '$http_x_forwarded_proto, $scheme',
    'X-Forwarded-For': '$proxy_add_x_forwarded_for',
  }
  const inner = await startNginx([{ to: container, headers: appended }])
  const [second = 0] = inner.ports
  const outer = await startNginx([
    { to: app, tls: true, headers: { Host: '$host', ...SCHEME } },
    { to: container, tls: true, headers: { 'X-Forwarded-Host': '$host', ...SCHEME } },
    { to: app, headers: { Host: '$http_host', ...SCHEME } },
    // The inner one appends the Host that it receives: that has to be the one of the browser.
    { to: second, tls: true, headers: { Host: '$host', 'X-Forwarded-Host': '$host', ...SCHEME } },
    {
      to: second,
      tls: true,
      headers: { Host: '$host', 'X-Forwarded-Host': '$http_x_forwarded_host, $host', ...SCHEME },
    },
    { to: fixed, headers: {} },
  ])
  const [keeping = 0, replacing = 0, plain = 0, listing = 0, adding = 0, silent = 0] = outer.ports

  const addresses: Record<WayName, Address> = {
    directly: { origin: `http://localhost:${app}`, port: app },
    'directly, by the number of the machine': { origin: `http://127.0.0.1:${app}`, port: app },
    'directly, by a name, with spoofed headers': {
      origin: 'http://app.test',
      port: app,
      headers: SPOOFED,
    },
    'from a container': { origin: `http://localhost:${container}`, port: container },
    'from a container, by a name': { origin: `http://app.test:${container}`, port: container },
    'through nginx that keeps the host': { origin: SITE, port: keeping },
    'through nginx that keeps the host, with spoofed headers': {
      origin: SITE,
      port: keeping,
      headers: SPOOFED,
    },
    'through nginx that puts its own host': { origin: SITE, port: replacing },
    'through nginx that puts its own host, with spoofed headers': {
      origin: SITE,
      port: replacing,
      headers: SPOOFED,
    },
    'through nginx without https, on another port': {
      origin: `http://app.test:${plain}`,
      port: plain,
    },
    'through two nginx that write lists': { origin: SITE, port: listing },
    'through two nginx that write lists, the first one behind a spoofed list': {
      origin: SITE,
      port: adding,
      headers: LISTS,
    },
    'with AUTH_URL, directly': {
      origin: SITE,
      port: fixed,
      tls: false,
      headers: { host: `localhost:${fixed}` },
    },
    'with AUTH_URL, under another name': {
      origin: SITE,
      port: fixed,
      tls: false,
      headers: { host: 'other.test' },
    },
    'with AUTH_URL, with spoofed headers': {
      origin: SITE,
      port: fixed,
      tls: false,
      headers: { host: 'evil.test', ...SPOOFED },
    },
    'with AUTH_URL, through nginx that says nothing about it': {
      origin: SITE,
      port: silent,
      tls: false,
    },
  }
  return {
    of: (name) => addresses[name],
    async stop() {
      await Promise.all([...servers, outer, inner].map((each) => each.stop()))
    },
  }
}
