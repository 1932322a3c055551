/** What the log of an application with Next.js contains: its routes, pages and proxy have a copy of the library each. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeNextApp, nextProgram } from '../../../tools/next-app.mjs'
import { freePort } from '../../../tools/ports.mjs'
import { run, start, waitForServer } from '../../../tools/run.mjs'

const PAGE = `
  import { auth } from '../../auth'
  export default async function Page() { return <p>{String(await auth())}</p> }
`

const FILES = {
  'auth.ts': `
    import Lib from 'lib-auth/next'
    import Credentials from 'lib-auth/providers/credentials'
    export const { handlers, auth } = Lib({
      debug: true,
      experimental: { enableWebAuthn: true },
      providers: [Credentials({ credentials: { name: {} }, authorize: () => null })],
    })
  `,
  'proxy.ts': `export { auth as proxy } from './auth'`,
  'app/api/auth/[...auth]/route.ts': `
    import { handlers } from '../../../../auth'
    export const { GET, POST } = handlers
  `,
  'app/layout.tsx': `
    export default ({ children }: { children: React.ReactNode }) => <html><body>{children}</body></html>
  `,
  'app/one/page.tsx': PAGE,
  'app/two/page.tsx': PAGE,
}

function writeApplication(): string {
  const from = mkdtempSync(join(tmpdir(), 'lib-auth-next-log-'))
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(from, path)), { recursive: true })
    writeFileSync(join(from, path), text)
  }
  const folder = makeNextApp({ from, name: 'log' })
  rmSync(from, { recursive: true })
  return folder
}

const warningsIn = (output: string) =>
  output.match(/(?<=\[auth\]\[warn\] )\S+/g)?.toSorted((a, b) => (a < b ? -1 : 1)) ?? []

describe('the log of an application on Next.js', () => {
  let folder: string
  let port: number
  let env: Readonly<Record<string, string>>
  const next = (...args: string[]): [string, string[], object] => [
    process.execPath,
    [nextProgram(16), ...args],
    { cwd: folder, env },
  ]

  beforeAll(async () => {
    folder = writeApplication()
    port = await freePort()
    const origin = `http://localhost:${port}`
    const secret = 'a secret of the test with more than 32 bytes'
    env = {
      NODE_ENV: 'production',
      NEXTAUTH_SECRET: secret,
      AUTH_URL: origin,
      NEXT_TELEMETRY_DISABLED: '1',
    }
  })
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true })
  })

  test('contains each warning once, and none of the processes that build it', async () => {
    expect(warningsIn(await run(...next('build')))).toEqual([])
    const server = start(...next('start', '--port', String(port)))
    try {
      const url = `http://localhost:${port}`
      await waitForServer(url, server)
      for (const path of ['one', 'two', 'api/auth/session', 'api/auth/signin', 'one'])
        expect((await fetch(`${url}/${path}`)).status, path).toBe(200)
    } finally {
      await server.stop()
    }
    expect(warningsIn(server.output())).toEqual([
      'debug-enabled',
      'env-renamed',
      'experimental-webauthn',
      'no-client-address',
    ])
  })
})
