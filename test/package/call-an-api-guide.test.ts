/** docs/guides/call-an-api.md, followed word for word in an empty folder with the packed package. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { issuer } from '../../src/testing/index.ts'
import type { Issuer } from '../../src/testing/index.ts'
import { rawClient } from '../frameworks/raw-client.ts'
import type { Answer, RawClient } from '../frameworks/raw-client.ts'
import { serve } from '../frameworks/servers/listen.ts'
import { run } from '../../tools/run.mjs'
import { follow } from './follow.ts'

const API = 'https://www.googleapis.com/calendar/v3/calendars/primary/events'
const CALENDAR = 'https://www.googleapis.com/auth/calendar.events'

/** What an application of the reader has already. */
const LAYOUT = `export default function Layout({ children }: { children: React.ReactNode }) {
  return <html lang="en"><body>{children}</body></html>
}
`

/** Sends what a process sends to Google to this server instead, with the URL in a header. */
const redirectGoogle = (origin: string) =>
  `data:text/javascript,${encodeURIComponent(`
  const { fetch } = globalThis
  globalThis.fetch = async (input, init) => {
    const request = new Request(input, init)
    if (!/^https:\\/\\/(accounts\\.google|www\\.googleapis)\\.com\\//.test(request.url)) return fetch(input, init)
    const headers = new Headers(request.headers)
    headers.set('x-url', request.url)
    const body = request.method === 'GET' ? undefined : await request.text()
    return fetch('${origin}', { method: request.method, headers, body })
  }`)}`

/** Google, and its calendar, for the client in the file of variables. */
function openGoogle(variables: string) {
  const events = [{ id: '1', summary: 'Stand-up' }]
  /** Tokens with which the calendar was called. */
  const calls: string[] = []
  const state: { op?: Issuer; rejects?: string } = {}
  const google = async () => {
    if (state.op) return state.op
    const [, id = '', secret = ''] =
      /AUTH_GOOGLE_ID=(\S+)\nAUTH_GOOGLE_SECRET=(\S+)/.exec(readFileSync(variables, 'utf8')) ?? []
    const url = 'https://accounts.google.com'
    const client = { clientId: id, clientSecret: secret }
    state.op = await issuer({
      url,
      ...client,
      refreshTokens: 'rotated',
      // Less than what is left when a token is refreshed.
      accessTokenLifetime: 30,
    })
    return state.op
  }
  const calendar = ({ url, method, headers }: Request): Response => {
    const token = headers.get('authorization') ?? ''
    calls.push(token)
    if (token === state.rejects) return Response.json({ error: 'revoked' }, { status: 401 })
    const text = new URL(url).searchParams.get('text')
    if (method === 'POST' && text) events.push({ id: text, summary: text })
    return Response.json({ items: events })
  }
  const answer = async (request: Request) =>
    request.url.startsWith(API) ? calendar(request) : (await google()).fetch(request)
  return { events, calls, state, google, answer }
}

/** Starts a server for {@link redirectGoogle}. */
async function listenFor(answer: (request: Request) => Promise<Response>): Promise<string> {
  const { origin, stop } = await serve((received) =>
    answer(new Request(received.headers.get('x-url') ?? '', received)),
  )
  onTestFinished(stop)
  return origin
}

/** Presses a button of a page, as a browser does without JavaScript. */
async function press(
  user: RawClient,
  path: string,
  button: string,
  fields: Record<string, string> = {},
): Promise<Answer> {
  const { body: page } = await user.send(path)
  const form = (page.match(/<form.*?<\/form>/gs) ?? []).find((each) =>
    each.includes(`>${button}</button>`),
  )
  expect(form, page).toBeDefined()
  const [, action = ''] = /name="(\$ACTION_ID_\w+)"/.exec(form ?? '') ?? []
  const data = new FormData()
  data.set(action, '')
  for (const [name, value] of Object.entries(fields)) data.set(name, value)
  const request = new Request('http://localhost', { method: 'POST', body: data })
  const headers = { 'content-type': request.headers.get('content-type') ?? '' }
  return user.send(path, { method: 'POST', headers, body: await request.text() })
}

const pathOf = (url: string | undefined) => {
  const { pathname, search } = new URL(url ?? '', 'http://localhost')
  return pathname + search
}

test('following the guide to the API of a provider', { timeout: 300_000 }, async () => {
  const parent = mkdtempSync(join(tmpdir(), 'lib-auth-call-an-api-'))
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }))
  const folder = mkdtempSync(join(parent, 'app-'))
  mkdirSync(join(folder, 'app'))
  writeFileSync(join(folder, 'app/layout.tsx'), LAYOUT)
  const { google, answer, calls, events, state } = openGoogle(join(folder, '.env.local'))
  const preload = redirectGoogle(await listenFor(answer))
  const visited: string[] = []

  /** The user consents at Google, and returns to the application. */
  async function consent(user: RawClient, { headers }: Answer): Promise<string> {
    expect(headers.location).toMatch(/^https:\/\/accounts\.google\.com\//)
    const { url } = await (await google()).authorize(headers.location ?? '')
    return pathOf((await user.send(pathOf(url))).headers.location)
  }

  async function visitNext(url: string) {
    const user = rawClient(url, '/api/auth')
    onTestFinished(() => user.close())
    const events401 = await user.send('/api/events')
    expect([events401.status, events401.body]).toEqual([401, '{"code":"not_signed_in"}'])

    const connected = await press(user, '/calendar', 'Connect Google')
    const asked = new URL(connected.headers.location ?? '').searchParams
    expect([asked.get('access_type'), asked.get('prompt')]).toEqual(['offline', 'consent'])
    expect(asked.get('scope')).toContain(CALENDAR)
    // On the sign-in page, for a start without the calendar.
    const form = { csrfToken: await user.csrfToken(), callbackUrl: '/calendar' }
    const begun = await user.send('/api/auth/signin/google', { form })
    expect(await consent(user, begun)).toBe('/calendar')
    const before = (await user.send('/api/auth/session')).body

    expect((await user.send('/api/events')).body).toBe('{"code":"scope"}')
    const more = await press(user, '/calendar', 'Show my calendar')
    const scope = new URL(more.headers.location ?? '').searchParams.get('scope')
    expect(scope?.split(' ')).toEqual(expect.arrayContaining(['openid', CALENDAR]))
    expect(await consent(user, more)).toBe('/calendar')
    expect(JSON.parse((await user.send('/api/auth/session')).body).user).toEqual(
      JSON.parse(before).user,
    )

    // Each call refreshes: in the page, the route handler and the action.
    calls.length = 0
    expect((await user.send('/calendar')).body).toContain('Stand-up')
    expect(JSON.parse((await user.send('/api/events')).body).items).toEqual(events)
    const added = await press(user, '/calendar', 'Add', { text: 'Lunch' })
    expect([added.status, pathOf(added.headers.location)]).toEqual([303, '/calendar'])
    expect((await user.send('/calendar')).body).toContain('Lunch')
    expect(new Set(calls).size).toBe(calls.length)

    // A token that the API rejects is replaced once.
    state.rejects = calls.at(-1) ?? ''
    expect((await user.send('/api/events')).status).toBe(200)

    const { misbehaviour } = await google()
    misbehaviour.token = () => Response.json({ error: 'invalid_grant' }, { status: 400 })
    expect((await user.send('/calendar')).body).toContain('Google has ended the access.')
    delete misbehaviour.token
    expect(await consent(user, await press(user, '/calendar', 'Connect Google'))).toBe('/calendar')
    expect((await user.send('/calendar')).body).toContain('Lunch')
  }

  async function visitExpress(url: string) {
    const user = rawClient(url)
    onTestFinished(() => user.close())
    const refused = await user.send('/token-expiry')
    expect(refused.status, refused.body).toBe(401)
    const form = { csrfToken: await user.csrfToken(), callbackUrl: '/' }
    await consent(user, await user.send('/auth/signin/google', { form }))
    const { expiresAt } = JSON.parse((await user.send('/token-expiry')).body)
    expect(Date.parse(expiresAt)).toBeGreaterThan(Date.now())
  }

  const app = await follow('docs/guides/call-an-api.md', {
    folder,
    preload,
    async visit(url) {
      visited.push(url)
      await (visited.length === 1 ? visitNext(url) : visitExpress(url))
    },
  })
  await app.stop()
  expect(visited).toHaveLength(2)

  const job = (userId: string) =>
    run(process.execPath, ['--env-file=.env.local', 'job.mjs', userId], {
      cwd: folder,
      env: { NODE_OPTIONS: `--import=${preload}` },
    })
  const query = `import { config } from './config.mjs'; console.log((await config.adapter.getUserByEmail('ada@example.com')).id)`
  const userId = await run(process.execPath, ['--input-type=module', '-e', query], { cwd: folder })
  expect(await job(userId.trim())).toContain("summary: 'Lunch'")
  expect(await job('nobody')).toContain('nobody has to connect Google: not_connected')
  const compiler = join(folder, 'node_modules/typescript/bin/tsc')
  await run(process.execPath, [compiler, '--noEmit', '-p', '.'], { cwd: folder })
})
