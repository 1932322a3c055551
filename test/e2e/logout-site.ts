/** Sites whose users sign in at a certified provider, and sign out there, too. */
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { Auth, getSession } from '../../src/index.ts'
import type { AuthConfig } from '../../src/index.ts'
import { send, toRequest } from '../cli/doctor/run-doctor.ts'

const CLIENT = fileURLToPath(new URL('../../src/browser/client/index.ts', import.meta.url))

/** The client for browsers, as the global variable `auth`. */
async function bundleClient(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [CLIENT],
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'auth',
  })
  return outputFiles[0]?.text ?? ''
}

export interface LogoutSite {
  /** The routes, such as http://localhost:3000/auth */
  readonly routes: string
  readonly origin: string
  /** Statuses of the responses to logout tokens. */
  readonly notices: readonly number[]
  readonly stop: () => void
}

/** Starts a site on `localhost` or another host of this machine. Its pages show whether the user is signed in. */
export async function startLogoutSite(
  { host = 'localhost', port }: { readonly host?: string; readonly port: number },
  config: AuthConfig & { readonly basePath: string },
): Promise<LogoutSite> {
  const client = await bundleClient()
  const notices: number[] = []

  async function respond(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url)
    if (pathname.startsWith(`${config.basePath}/`)) {
      const answer = await Auth(request, config)
      if (pathname.includes('/backchannel-logout/')) notices.push(answer.status)
      return answer
    }
    if (pathname === '/client.js')
      return new Response(client, { headers: { 'content-type': 'text/javascript' } })
    const { session } = await getSession(request, config)
    const page = `<!doctype html><link rel="icon" href="data:,"><script src="/client.js"></script>
      <h1>${session ? 'Signed in' : 'Signed out'}</h1>`
    return new Response(page, { headers: { 'content-type': 'text/html' } })
  }

  const server = createServer((request, response) => {
    void toRequest(request)
      .then(respond)
      .then((answer) => send(answer, response))
  })
  await new Promise<void>((resolve) => {
    server.listen(port, host, resolve)
  })
  const origin = `http://${host}:${port}`
  return {
    origin,
    routes: origin + config.basePath,
    notices,
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}
