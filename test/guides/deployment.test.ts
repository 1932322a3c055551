/** docs/guides/deployment.md */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startSite } from '../../tools/nginx.mjs'
import { freePort } from '../../tools/ports.mjs'
import { setEnvDefaults } from '../../src/index.ts'
import type { AuthConfig } from '../../src/index.ts'
import { browser, issuer } from '../../src/testing/index.ts'
import { configFor } from '../config.ts'
import { findNginx } from '../services.ts'
import { openGuide } from './guide.ts'

const op = await issuer()
const OLD = 'the old secret, of 32 bytes or more'
const NEW = 'the new secret, of 32 bytes or more'

function configWith(env: Record<string, string>): AuthConfig {
  const { secret: _secret, ...config } = configFor(op).config
  setEnvDefaults({ ...env, AUTH_URL: 'https://app.test/auth' }, config)
  return config
}

async function sessionWith(cookie: string, env: Record<string, string>): Promise<unknown> {
  const tab = browser(configWith(env))
  tab.cookies.set('__Host-lib.session-token', cookie)
  return tab.session()
}

test('rotating the secret in three steps keeps sessions; replacing it ends them', async () => {
  const tab = browser(configWith({ AUTH_SECRET: OLD }), { issuer: op })
  await tab.signIn('op')
  const before = tab.cookies.get('__Host-lib.session-token')?.value ?? ''
  const both = { AUTH_SECRET: OLD, AUTH_SECRET_1: NEW }
  expect(await sessionWith(before, both)).not.toBeNull()
  const later = browser(configWith(both), { issuer: op })
  await later.signIn('op')
  const after = later.cookies.get('__Host-lib.session-token')?.value ?? ''
  expect(await sessionWith(after, { AUTH_SECRET: NEW })).not.toBeNull()
  expect(await sessionWith(before, { AUTH_SECRET: NEW })).toBeNull()
})

/** Sends lines as they are: a client of HTTP would not send two hosts. */
async function send(port: number, lines: readonly string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.write(`${[...lines, 'Connection: close'].join('\r\n')}\r\n\r\n`)
  let answer = ''
  for await (const chunk of socket) answer += String(chunk)
  return answer
}

const LOCAL = '127.0.0.1'

/** The configuration of the guide without TLS, on ports of this machine, in front of a server that answers with its headers. */
async function startProxy(): Promise<number> {
  const echo = createServer(({ headers }, response) => response.end(JSON.stringify(headers)))
  await new Promise<void>((resolve) => echo.listen(0, LOCAL, resolve))
  onTestFinished(() => void echo.close())
  const [block = ''] = openGuide('deployment').blocks('nginx')
  const text = block.replaceAll('listen 443 ssl', `listen ${LOCAL}:443`)
  const folder = mkdtempSync(join(tmpdir(), 'lib-auth-nginx-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'site.conf')
  writeFileSync(file, text.replaceAll(/ssl_certificate.*;/g, ''))
  const port = await freePort()
  const { port: upstream } = echo.address() as AddressInfo
  const ports = new Map([
    [443, port],
    [3000, upstream],
  ])
  const nginx = await startSite(file, ports)
  onTestFinished(nginx.stop)
  return port
}

test.skipIf(!(await findNginx()))(
  'nginx passes on its own host only, whatever a client sends',
  async () => {
    const port = await startProxy()
    const forged = ['X-Forwarded-Host: evil.test', 'X-Forwarded-Proto: http, https']
    const passed: [string, string[]][] = [
      ['GET / HTTP/1.1', ['Host: example.com', ...forged]],
      ['GET https://example.com/ HTTP/1.1', ['Host: evil.test', ...forged]],
    ]
    for (const [line, headers] of passed) {
      const answer = await send(port, [line, ...headers])
      expect(answer).toContain('"host":"example.com"')
      expect(answer).toContain('"x-forwarded-host":"example.com"')
      expect(answer).toContain('"x-forwarded-proto":"http"')
      expect(answer).not.toContain('evil.test')
    }
    for (const headers of [['Host: evil.test'], ['Host: example.com.evil.test'], forged])
      expect(await send(port, ['GET / HTTP/1.0', ...headers])).toMatch(/^HTTP\/1\.1 421 /)
  },
)
