/** Deployments of the application: directly, in a container, and behind nginx. */
import { startNginx } from '../../../tools/nginx.mjs'
import type { Application, Server } from './application.ts'
import type { Address } from './visitor.ts'

/** Headers of an attacker who wants redirects to another host. */
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

/** The running deployments, and the address of each. */
export interface Deployments {
  readonly of: (name: DeploymentName) => Address
  stop(): Promise<void>
}

export const DEPLOYMENT_NAMES = [
  'directly',
  'directly, by IP address',
  'directly, by host name, with spoofed headers',
  'from a container',
  'from a container, by host name',
  'through nginx that keeps the host',
  'through nginx that keeps the host, with spoofed headers',
  'through nginx that replaces the host',
  'through nginx that replaces the host, with spoofed headers',
  'through nginx without https, on another port',
  'through two proxies that append to lists',
  'through two proxies that append to spoofed lists',
  'with AUTH_URL, directly',
  'with AUTH_URL, under another host',
  'with AUTH_URL, with spoofed headers',
  'with AUTH_URL, through nginx without forwarding headers',
] as const

/** A selection for further builds of the application. */
export const SOME_DEPLOYMENTS: readonly DeploymentName[] = [
  'directly',
  'through nginx that replaces the host, with spoofed headers',
  'through two proxies that append to lists',
  'with AUTH_URL, under another host',
]

export type DeploymentName = (typeof DEPLOYMENT_NAMES)[number]

const SITE = 'https://app.test'

const SCHEME = { 'X-Forwarded-Proto': '$scheme' }

/** Starts the application three times, with nginx in front of it. */
export async function startDeployments(
  application: Application,
  env: Readonly<Record<string, string>>,
): Promise<Deployments> {
  const servers: Server[] = []
  const startServer = async (own: Record<string, string>, hostname?: string) => {
    const server = await application.start({ ...env, ...own }, hostname)
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
    // The inner one appends the Host that it receives: it has to be that of the browser.
    { to: second, tls: true, headers: { Host: '$host', 'X-Forwarded-Host': '$host', ...SCHEME } },
    {
      to: second,
      tls: true,
      headers: { Host: '$host', 'X-Forwarded-Host': '$http_x_forwarded_host, $host', ...SCHEME },
    },
    { to: fixed, headers: {} },
  ])
  const [keeping = 0, replacing = 0, plain = 0, listing = 0, adding = 0, silent = 0] = outer.ports

  const addresses: Record<DeploymentName, Address> = {
    directly: { origin: `http://localhost:${app}`, port: app },
    'directly, by IP address': { origin: `http://127.0.0.1:${app}`, port: app },
    'directly, by host name, with spoofed headers': {
      origin: 'http://app.test',
      port: app,
      headers: SPOOFED,
    },
    'from a container': { origin: `http://localhost:${container}`, port: container },
    'from a container, by host name': { origin: `http://app.test:${container}`, port: container },
    'through nginx that keeps the host': { origin: SITE, port: keeping },
    'through nginx that keeps the host, with spoofed headers': {
      origin: SITE,
      port: keeping,
      headers: SPOOFED,
    },
    'through nginx that replaces the host': { origin: SITE, port: replacing },
    'through nginx that replaces the host, with spoofed headers': {
      origin: SITE,
      port: replacing,
      headers: SPOOFED,
    },
    'through nginx without https, on another port': {
      origin: `http://app.test:${plain}`,
      port: plain,
    },
    'through two proxies that append to lists': { origin: SITE, port: listing },
    'through two proxies that append to spoofed lists': {
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
    'with AUTH_URL, under another host': {
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
    'with AUTH_URL, through nginx without forwarding headers': {
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
