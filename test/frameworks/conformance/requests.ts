/** Malformed, hostile and aborted requests. */
import { beforeAll, expect, test, vi } from 'vitest'
import { rawBytes } from '../raw-client.ts'
import { nameOf, signIn } from './site.ts'
import type { Open, OpenSite } from './site.ts'
import type { Exceptions } from './index.ts'

/** Malformed, hostile and aborted requests. */
export function requestRows(open: Open, exceptions: Exceptions): void {
  let site: OpenSite
  beforeAll(async () => {
    site = await open()
  })

  test('answers 500 without details for an invalid configuration', async () => {
    const invalid = await open({ overrides: { secret: '' } })
    const guarded = open.isRecipe ? [] : ['/guarded']
    for (const path of [`${open.basePath}/session`, ...guarded, '/me']) {
      const answer = await invalid.user().send(path)
      expect([path, answer.status]).toEqual([path, 500])
      expect(answer.body).not.toMatch(/AUTH_SECRET/)
    }
    // The log of another process arrives after the response.
    await vi.waitFor(() => expect(invalid.log.errors[0]?.name).toBe('MissingSecretError'), {
      timeout: 20_000,
    })
  })

  test('rejects a host that is not trusted, whatever the form of the request', async () => {
    const evil = { host: 'evil.example' }
    for (const path of [`${open.basePath}/session`, `${open.basePath}/signin`]) {
      const answer = await site.user().send(path, { headers: evil })
      expect(answer.status).toBe(400)
      expect(answer.body + JSON.stringify(answer.headers)).not.toContain('evil.example')
    }
    const { host } = new URL(site.origin)
    for (const target of [
      `//evil.example${open.basePath}/signin`,
      `http://evil.example${open.basePath}/signin`,
    ]) {
      const head = `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`
      const answer = await rawBytes(site.origin, [head])
      if (exceptions.redirectsDoubleSlashes && target.startsWith('//')) {
        expect(answer).toMatch(/^HTTP\/1\.1 308/)
        expect(answer).toContain(`\nlocation: ${site.origin}/evil.example/`)
        continue
      }
      if (exceptions.redirectsSlashes) {
        expect(answer).toMatch(/^HTTP\/1\.1 308/)
        const path = target.replace(/^\/+/, '/')
        if (path !== target) expect(answer).toContain(`\nlocation: ${path}\r\n`)
        continue
      }
      const status = exceptions.rejectsAbsoluteTargets
        ? /^HTTP\/1\.1 (?:40[04]|500)/
        : /^HTTP\/1\.1 40[04]/
      // The page of some recipes answers to every path, and Bun takes only the path of an absolute target.
      if (open.isRecipe && answer.startsWith('HTTP/1.1 200'))
        expect(answer).not.toContain('evil.example')
      else expect(answer).toMatch(status)
      expect(answer).not.toMatch(/location: .*evil/i)
    }
  })

  test('answers to routes in one spelling, and 404 for other paths below the base path', async () => {
    const user = site.user()
    const ending = await user.send(`${open.basePath}/session/`)
    const double = await user.send(`${open.basePath}//session`)
    const statuses = exceptions.redirectsSlashes ? [308, 308] : [200, 404]
    expect([ending.status, double.status]).toEqual(statuses)
    for (const path of ['unknown', '%73ession', 'session/x'])
      expect([path, (await user.send(`${open.basePath}/${path}`)).status]).toEqual([path, 404])
    const outside = await user.send('/unknown')
    // The page of some recipes answers to every path.
    if (!open.isRecipe || outside.body !== 'Hello, stranger') expect(outside.status).toBe(404)
    expect(outside.body).not.toContain('base path')
  })

  test('answers HEAD without a body or cookies, and other methods with 405', async () => {
    const user = site.user()
    const head = await user.send(`${open.basePath}/csrf`, { method: 'HEAD' })
    expect([head.status, head.body, head.setCookies]).toEqual([200, '', []])
    const methods = ['OPTIONS', 'PUT', 'DELETE', ...(exceptions.rejectsTrace ? [] : ['TRACE'])]
    for (const method of methods) {
      const { status, headers } = await user.send(`${open.basePath}/session`, { method })
      if (exceptions.answersOtherMethods)
        expect([method, status]).toEqual([method, method === 'OPTIONS' ? 204 : 405])
      else expect([method, status, headers.allow]).toEqual([method, 405, 'GET, POST'])
    }
  })

  test('rejects other media types, malformed JSON and duplicate parameters', async () => {
    const user = site.user()
    const post = (type: string, body: string) =>
      user.send(`${open.basePath}/signin/op`, { body, headers: { 'content-type': type } })
    expect((await post('text/plain', 'a=1')).status).toBe(415)
    expect((await post('application/json', '{"csrfToken":')).status).toBe(400)
    const repeated = 'csrfToken=a&csrfToken=b'
    expect((await post('application/x-www-form-urlencoded', repeated)).status).toBe(400)
  })

  test.each(['content-length', 'chunked'])(
    'rejects a body of 300 kB (%s), and answers the next request on that connection',
    async (framing) => {
      const { host } = new URL(site.origin)
      const body = Buffer.alloc(300_000, 'x')
      const isChunked = framing === 'chunked'
      const head = `POST ${open.basePath}/signin/op HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${site.origin}\r\nContent-Type: application/x-www-form-urlencoded\r\n${isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.length}`}\r\n\r\n`
      const next = `GET ${open.basePath}/session HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`
      const parts = isChunked ? [`${body.length.toString(16)}\r\n`, body, '\r\n0\r\n\r\n'] : [body]
      const answer = await rawBytes(site.origin, [head, ...parts, next], (text) =>
        /HTTP\/1\.1 200[^]*null/.test(text),
      )
      const ends = exceptions.resetsConnection && isChunked ? '' : 'HTTP/1.1 413'
      const closes = isChunked ? exceptions.leavesConnection : exceptions.closesConnection
      if (closes || ends === '') expect(answer.slice(0, 12)).toBe(ends)
      else expect(answer).toMatch(/^HTTP\/1\.1 413[^]*HTTP\/1\.1 200[^]*null/)
      expect((await site.user().send(`${open.basePath}/session`)).body).toBe('null')
    },
  )

  test('answers 413 to a body that does not end', async () => {
    const { host } = new URL(site.origin)
    const head = `POST ${open.basePath}/signin/op HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`
    const chunk = `${(10_000).toString(16)}\r\n${'x'.repeat(10_000)}\r\n`
    const chunks = Array.from({ length: 30 }, () => chunk)
    const answer = await rawBytes(site.origin, [head, ...chunks], (text) =>
      text.includes('\r\n\r\n'),
    )
    expect(answer).toMatch(/^HTTP\/1\.1 413/)
    expect((await site.user().send(`${open.basePath}/session`)).body).toBe('null')
  })

  test('survives clients that abort their request', async () => {
    const rejections = vi.fn()
    process.on('unhandledRejection', rejections)
    const { host } = new URL(site.origin)
    const head = `POST ${open.basePath}/signin/op HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`
    const { connect } = await import('node:net')
    for (const wait of [0, 50]) {
      const socket = connect(Number(new URL(site.origin).port), '127.0.0.1')
      socket.on('error', () => undefined)
      socket.write(head)
      await new Promise((resolve) => setTimeout(resolve, wait))
      socket.destroy()
    }
    // One that has sent its request, and does not wait for the response.
    const socket = connect(Number(new URL(site.origin).port), '127.0.0.1')
    socket.on('error', () => undefined)
    socket.write(`GET /me HTTP/1.1\r\nHost: ${host}\r\n\r\n`, () => socket.destroy())
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect((await site.user().send(`${open.basePath}/session`)).body).toBe('null')
    expect(rejections).not.toHaveBeenCalled()
    process.off('unhandledRejection', rejections)
  })

  const parsesFirst = exceptions.readsBodiesOnce === undefined && !open.isRecipe
  test.runIf(parsesFirst)('accepts bodies that a parser has read before', async () => {
    const parsed = await open({ parsers: true })
    const user = parsed.user()
    expect((await signIn(user)).headers.location).toBe(parsed.origin)
    expect(nameOf(await user.send('/me'))).toBe('User ada')
    const other = parsed.user()
    const json = { csrfToken: await other.csrfToken(), username: 'bob', password: 'right' }
    await other.send(`${open.basePath}/callback/credentials`, { json })
    expect(nameOf(await other.send('/me'))).toBe('User bob')
    const csrfToken = await user.csrfToken()
    const form = new URLSearchParams([
      ['csrfToken', csrfToken],
      ['csrfToken', csrfToken],
    ])
    expect((await user.send(`${open.basePath}/signin/op`, { form })).status).toBe(400)
  })
}
