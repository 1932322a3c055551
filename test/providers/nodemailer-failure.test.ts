import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createTransport } from 'nodemailer'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import Nodemailer from '../../src/providers/nodemailer.ts'
import { mailServer, silentServer } from '../mail-server.ts'
import type { MailServer } from '../mail-server.ts'
import { send, TO } from './send-link.ts'

const server = await mailServer()
const silent = await silentServer()
const greeting = await silentServer('220 mail.test ESMTP\r\n')
const rejecting = await mailServer({
  onRcptTo: (_address, _session, done) => done(new Error('No such mailbox')),
})
afterAll(() => Promise.all([server, silent, greeting, rejecting].map((each) => each.stop())))
afterEach(() => void vi.useRealTimers())

/** Time for a loopback server to notice a connection, on a slow machine. */
const PATIENT = { timeout: 20_000 }

describe('sending fails when', () => {
  test('the server rejects the recipient', async () => {
    await expect(send(Nodemailer({ server: rejecting.url }))).rejects.toThrow(/No such mailbox/)
    expect(rejecting.mails).toEqual([])
  })

  test.each([
    ['rejected', 'rejected the recipient'],
    ['pending', 'did not accept the recipient yet'],
  ])('a transport reports that the recipient is %s', async (field, message) => {
    const transport = {
      name: 'test',
      version: '1',
      send: (_mail: unknown, done: (error: null, info: object) => void) =>
        done(null, { accepted: [], [field]: [TO] }),
    }
    for (const given of [transport, createTransport(transport)])
      await expect(send(Nodemailer({ server: given }))).rejects.toMatchObject({
        type: 'EmailSignInError',
        message: expect.stringContaining(message),
      })
  })

  test('the server does not listen', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as AddressInfo
    await new Promise((resolve) => void taken.close(resolve))
    const begin = Date.now()
    await expect(send(Nodemailer({ server: `smtp://127.0.0.1:${port}` }))).rejects.toThrow(
      /ECONNREFUSED/,
    )
    expect(Date.now() - begin).toBeLessThan(20_000)
  })

  const at = ({ host, port }: MailServer, limits: object) => ({ host, port, ...limits })

  test.each<[string, string | object]>([
    ['does not greet, by options', at(silent, { greetingTimeout: 100 })],
    ['does not greet, by URL', `${silent.url}?greetingTimeout=100`],
    ['does not greet, by a URL in options', { url: `${silent.url}/?greetingTimeout=100` }],
    ['greets and sends nothing else, by options', at(greeting, { socketTimeout: 100 })],
    ['greets and sends nothing else, by URL', `${greeting.url}?socketTimeout=100`],
    ['greets and sends nothing else, for a pool', at(greeting, { pool: true, socketTimeout: 100 })],
  ])('the server %s, after the timeout of the application', async (_name, given) => {
    const begin = Date.now()
    await expect(send(Nodemailer({ server: given }))).rejects.toThrow(
      /^Greeting never received|^Timeout|closed/,
    )
    expect(Date.now() - begin).toBeLessThan(7000)
  })

  test.each<[string, string | object]>([
    ['options', at(silent, {})],
    ['a URL', silent.url],
    ['a URL in options', { url: silent.url }],
    ['a pool', at(silent, { pool: true })],
  ])('the server is silent for eight seconds, with %s', async (_name, given) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { all } = silent.clients
    const sending = send(Nodemailer({ server: given })).then(
      () => 'sent',
      (error: Error) => error.message,
    )
    await vi.waitFor(() => expect(silent.clients.all).toBe(all + 1), PATIENT)
    await sleep(50)
    await vi.advanceTimersByTimeAsync(7_900)
    expect(await Promise.race([sending, sleep(50, 'waiting')])).toBe('waiting')
    await vi.advanceTimersByTimeAsync(200)
    expect(await sending).toMatch(/greeting/i)
  })
})

test('a server that is silent after its greeting times out after eight seconds', async () => {
  const begin = Date.now()
  await expect(send(Nodemailer({ server: greeting.url }))).rejects.toThrow(/^Timeout/)
  expect(Date.now() - begin).toBeGreaterThan(7_500)
  expect(Date.now() - begin).toBeLessThan(20_000)
})

describe('connections', () => {
  const open = (count: number) => vi.waitFor(() => expect(server.clients.open).toBe(count), PATIENT)

  test.each<[string, object]>([
    ['for one mail', {}],
    ['as a pool', { pool: true }],
  ])('opened %s by the provider are closed', async (_name, options) => {
    await open(0)
    const { host, port } = server
    await send(Nodemailer({ server: { host, port, ...options } }))
    await open(0)
  })

  test('are closed after a failure', async () => {
    await expect(send(Nodemailer({ server: rejecting.url }))).rejects.toThrow(Error)
    await vi.waitFor(() => expect(rejecting.clients.open).toBe(0), PATIENT)
  })

  test('of a pool of the application are reused', async () => {
    await open(0)
    const { host, port } = server
    const pool = createTransport({ host, port, pool: true })
    const { all } = server.clients
    await send(Nodemailer({ server: pool }))
    await send(Nodemailer({ server: pool }))
    expect(server.clients.all).toBe(all + 1)
    await open(1)
    pool.close()
    await open(0)
  })
})
