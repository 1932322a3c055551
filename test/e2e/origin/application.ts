/** The application test/fixtures/next-origin, built and started for tests. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { buildApp } from '../../../tools/demo-app.mjs'
import { makeNextApp, nextProgram } from '../../../tools/next-app.mjs'
import { freePort } from '../../../tools/ports.mjs'
import { waitForServer, start } from '../../../tools/run.mjs'
import { SECRET } from '../../config.ts'

const SOURCE = fileURLToPath(new URL('../../fixtures/next-origin', import.meta.url))

/** How the application is built. */
export interface ApplicationOptions {
  /** A unique name. */
  readonly name: string
  readonly version?: 15 | 16
  /** Of `next.config.mjs`. */
  readonly config?: Readonly<Record<string, unknown>> & { basePath?: string }
  /** The proxy: a file below `proxies`. */
  readonly proxy: 'direct' | 'wrapped' | 'lazy'
  /** Of the proxy of Next 15. @default 'edge' */
  readonly runtime?: 'nodejs'
  /** Files to leave out. */
  readonly without?: readonly string[]
  readonly signIn?: string
}

/** A running server. */
export interface Server {
  readonly port: number
  readonly output: () => string
  stop(): Promise<void>
}

/** The built application. */
export interface Application {
  readonly buildId: string
  /** Output of the build. */
  readonly built: string
  /** Starts it; `env` is passed to the process. */
  start(env?: Readonly<Record<string, string>>, hostname?: string): Promise<Server>
}

/** Builds it. */
export async function buildApplication(options: ApplicationOptions): Promise<Application> {
  const { name, version = 16, config = {}, proxy, runtime, without = [], signIn } = options
  const pages = signIn ? { TEST_SIGN_IN: signIn } : {}
  const folder = makeNextApp({ from: SOURCE, name, version, config })
  const target = version === 15 ? 'middleware.ts' : 'proxy.ts'
  const text = readFileSync(join(folder, 'proxies', `${proxy}.ts`), 'utf8')
    .replace('auth as proxy', version === 15 ? 'auth as middleware' : 'auth as proxy')
    .replace('matcher:', runtime ? `runtime: '${runtime}', matcher:` : 'matcher:')
  writeFileSync(join(folder, target), text)
  for (const each of ['proxies', ...without]) rmSync(join(folder, each), { recursive: true })
  const built = await buildApp(folder, nextProgram(version))
  return {
    buildId: readFileSync(join(folder, '.next/BUILD_ID'), 'utf8'),
    built,
    async start(env = {}, hostname = 'localhost') {
      const port = await freePort()
      const args = [nextProgram(version), 'start', '--port', String(port), '--hostname', hostname]
      const program = start(process.execPath, args, {
        cwd: folder,
        env: {
          NODE_ENV: 'production',
          NEXT_TELEMETRY_DISABLED: '1',
          AUTH_SECRET: SECRET,
          ...pages,
          ...env,
        },
      })
      try {
        await waitForServer(`http://localhost:${port}`, program)
      } catch (error) {
        await program.stop()
        throw error
      }
      return { port, output: program.output, stop: () => program.stop() }
    },
  }
}

/** Starts a server that receives the magic links of the application. */
export async function openInbox() {
  const mails: { readonly to: string; readonly url: string }[] = []
  const server = createServer((request, response) => {
    void json(request).then((mail) => {
      mails.push(mail as (typeof mails)[number])
      return response.end()
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    linkFor: (to: string) => mails.findLast((mail) => mail.to === to)?.url,
    stop: () => new Promise((resolve) => void server.close(resolve)),
  }
}
