/** The code of docs/guides/graceful-shutdown.md, in a process that clients keep busy. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { freePort } from '../../tools/ports.mjs'
import { waitForServer, start } from '../../tools/run.mjs'
import { findBlocks } from './snippets.ts'

const GUIDE = 'docs/guides/graceful-shutdown.md'
const [shutdown = '', server = ''] = findBlocks(GUIDE, readFileSync(GUIDE, 'utf8')).map(
  ({ code }) => code,
)
const SLOW = `(request, response) =>
  setTimeout(() => response.end('Hello'), request.url === '/slow' ? 1000 : 0)`

const folder = mkdtempSync(join(tmpdir(), 'lib-auth-shutdown-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/**
 * Sends a request; resolves with the body, or with the code of a connection error.
 *
 * @param onReceived - called when the server has received it
 */
function send(port: number, path: string, agent: Agent, onReceived?: () => void): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = onReceived ? { expect: '100-continue' } : {}
    const sent = request({ host: '127.0.0.1', port, path, agent, headers }, (response) => {
      text(response).then(resolve, reject)
    })
    if (onReceived) sent.once('continue', onReceived)
    sent.once('error', (error) => resolve('code' in error ? String(error.code) : error.message))
    sent.end()
  })
}

/** Sends requests until a connection is refused; appends each result. */
async function keepBusy(port: number, results: string[]): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  while (results.at(-1) !== 'ECONNREFUSED') results.push(await send(port, '/', agent))
  agent.destroy()
}

test('the guide shows the code of the example', () => {
  expect(shutdown).toBe(
    `// shutdown.mjs\n${readFileSync('examples/cluster/shutdown.mjs', 'utf8').trimEnd()}`,
  )
})

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s ends a process whose clients keep their connections busy',
  async (signal) => {
    const port = await freePort()
    writeFileSync(join(folder, 'shutdown.mjs'), shutdown)
    const code = server
      .replace("(request, response) => response.end('Hello')", SLOW)
      .replace('3000', `${port}, '127.0.0.1'`)
    expect(code).toContain('/slow')
    writeFileSync(join(folder, 'server.mjs'), code)
    const program = start(process.execPath, ['server.mjs'], { cwd: folder })
    onTestFinished(() => program.stop('SIGKILL'))
    await waitForServer(`http://127.0.0.1:${port}`, program)

    const clients: string[][] = [[], [], [], [], [], []]
    const busy = clients.map((results) => keepBusy(port, results))
    await vi.waitFor(
      () => expect(clients.every((results) => results.length > 10)).toBe(true),
      20_000,
    )
    let slow: Promise<string> | undefined
    await new Promise<void>((resolve) => {
      slow = send(port, '/slow', new Agent({ keepAlive: true }), resolve)
    })
    program.signal(signal)

    const exitCode = await Promise.race([program.gone, wait(8000, 'still running')])
    expect([exitCode, program.output()]).toEqual([0, 'disconnected\n'])
    expect(await slow).toBe('Hello')
    await Promise.all(busy)
    // An idle connection may be closed while the client sends the next request.
    const expected = new Set(['Hello', 'ECONNREFUSED', 'ECONNRESET'])
    expect(clients.flat().filter((end) => !expected.has(end))).toEqual([])
  },
)
