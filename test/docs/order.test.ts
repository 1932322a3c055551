/** docs/reference/callbacks.md and events.md: arguments are those of the types, and the order is that of real requests. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import MemoryAdapter from '../../src/adapters/memory.ts'
import { TIMEOUTS } from '../../src/core/async/timeout.ts'
import type { AuthConfig } from '../../src/index.ts'
import { browser, issuer } from '../../src/testing/index.ts'
import { configFor, enter, passwordConfig, TYPED } from '../config.ts'
import { linkIn, mailSite, submitAddress } from '../email.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const CALLBACKS = read('docs/reference/callbacks.md')
const EVENTS = read('docs/reference/events.md')
const TYPES = read('src/core/config/callbacks.ts')

/** The names of the members of an interface. */
function members(source: string, name: string): string[] {
  const [, body = ''] =
    new RegExp(`^export interface ${name}\\b[^]*?\\{\\n([^]*?)^\\}`, 'm').exec(source) ?? []
  return [...body.matchAll(/^ {2}(?:readonly )?(\w+)\??:/gm)].map(([, member = '']) => member)
}

/** The first column of a table with this head, after a position. */
function names(page: string, head: string, from: number): string[] {
  const table = page.slice(page.indexOf(`| ${head} |`, from)).split('\n\n')[0] ?? ''
  const cells = table.split('\n').slice(2)
  return cells.map((row) => /`([^`]+)`/.exec(row)?.[1] ?? '')
}

const sorted = (list: readonly string[]) => [...list].sort()

const PARAMETERS = [
  ['signIn', TYPES, 'SignInCallbackParams'],
  ['redirect', TYPES, 'RedirectCallbackParams'],
  ['jwt', TYPES, 'JWTCallbackParams'],
  ['session', TYPES, 'SessionCallbackParams'],
  ['authorized', read('src/frameworks/shared/types.ts'), 'WrapperAuthorizedParams'],
] as const

describe('docs/reference/callbacks.md', () => {
  test('has a section for each callback', () => {
    const callbacks = sorted([...members(TYPES, 'CallbacksOptions'), 'authorized'])
    expect(sorted(PARAMETERS.map(([name]) => name))).toEqual(callbacks)
    expect(sorted(names(CALLBACKS, 'Callback', 0))).toEqual(callbacks)
  })

  test.each(PARAMETERS)('has the arguments of %s', (name, source, type) => {
    const at = CALLBACKS.indexOf(`\n## ${name}\n`)
    expect(sorted(names(CALLBACKS, 'Argument', at))).toEqual(sorted(members(source, type)))
  })

  test('has the timeout of callbacks', () => {
    expect(CALLBACKS).toContain(`It has ${TIMEOUTS.callback / 1000} seconds`)
  })
})

/** A configuration whose callbacks and events write what they receive to a list. */
function record(config: AuthConfig): { config: AuthConfig; calls: string[] } {
  const calls: string[] = []
  const note = (name: string, received: object) => {
    const given = Object.entries(received).filter(([, value]) => value !== undefined)
    calls.push(`${name}({ ${given.map(([key]) => key).join(', ')} })`)
  }
  const events = members(TYPES, 'EventsOptions').map((name) => [
    name,
    (received: object) => note(`events.${name}`, received),
  ])
  const callbacks: AuthConfig['callbacks'] = {
    signIn(received) {
      note('callbacks.signIn', received)
      return true
    },
    redirect(received) {
      note('callbacks.redirect', received)
      return received.url
    },
    jwt(received) {
      note('callbacks.jwt', received)
      return received.token
    },
    session(received) {
      note('callbacks.session', received)
      return received.session
    },
  }
  return { calls, config: { ...config, callbacks, events: Object.fromEntries(events) } }
}

const ADA = { sub: 'ada', email: 'ada@example.com' }
const callbackUrl = '/account'

/** What is called by each of the requests that the page describes, in its order. */
async function recordAll(strategy: 'jwt' | 'database'): Promise<string[][]> {
  const op = await issuer()
  const stored = { adapter: MemoryAdapter(), session: { strategy } }
  const { config, calls } = record(configFor(op, stored).config)
  const tab = browser(config, { issuer: op })
  const groups: string[][] = []
  const next = (own = calls) => void groups.push(own.splice(0))
  const signIn = async () => (await tab.begin('op', { callbackUrl })).complete(ADA)
  await signIn()
  next()
  await signIn()
  next()
  await tab.session()
  next()
  const csrfToken = await tab.csrfToken()
  await tab.request('session', { method: 'POST', json: { csrfToken, data: { name: 'Ada' } } })
  next()
  await tab.post('signout', { callbackUrl })
  next()
  const mail = mailSite(stored)
  const linked = record(mail.config)
  const inbox = browser(linked.config)
  await submitAddress(inbox, 'new@example.com', { callbackUrl })
  await inbox.request(linkIn(mail.mails))
  next(linked.calls)
  return groups
}

async function recordPassword(): Promise<string[]> {
  const { config, calls } = record(passwordConfig().config)
  await enter(browser(config), { ...TYPED, callbackUrl })
  return calls
}

describe('the order of docs/reference/callbacks.md', () => {
  const blocks = [...CALLBACKS.matchAll(/^```text\n([^]*?)\n```$/gm)].map(([, text = '']) =>
    text.split('\n'),
  )

  test('is that of sign-ins, reads, updates and sign-outs with session strategy jwt', async () => {
    expect([...(await recordAll('jwt')), await recordPassword()]).toEqual(blocks)
  })

  test('is that of database sessions with the differences that the page names', async () => {
    const stored = blocks.slice(0, -1).map((lines) =>
      lines
        .filter((line) => !line.startsWith('callbacks.jwt'))
        .map((line) => {
          if (line.startsWith('callbacks.session')) return line.replace('token', 'user')
          if (line.startsWith('events.signOut')) return line.replace('token', 'session')
          return line.startsWith('events.session') ? line.replace(', token', '') : line
        }),
    )
    expect(await recordAll('database')).toEqual(stored)
  })
})

describe('docs/reference/events.md', () => {
  test('has the events, and their payloads', () => {
    const [, body = ''] = /^export interface EventsOptions \{\n([^]*?)^\}/m.exec(TYPES) ?? []
    const declared = [
      ...body.matchAll(/^ {2}(\w+)\?: Hook<\s*\[message: (?:\{([^}]*)\}|(\w+))\]/gm),
    ].map(([, name = '', inline, type = '']) => [
      name,
      inline === undefined
        ? members(TYPES, type)
        : [...inline.matchAll(/(\w+)\??:/g)].map(([, field = '']) => field),
    ])
    const rows = [...EVENTS.matchAll(/^\| `(\w+)` \| ([^|]+) \| [^|]+ \|$/gm)]
    const stated = rows.map(([, name = '', payload = '']) => [
      name,
      [...payload.matchAll(/`(\w+)`/g)].map(([, field = '']) => field),
    ])
    expect(declared).toHaveLength(members(TYPES, 'EventsOptions').length)
    expect(Object.fromEntries(stated)).toEqual(Object.fromEntries(declared))
  })

  test('has the timeouts of handlers', () => {
    const seconds = [TIMEOUTS.event, TIMEOUTS.callback].map((time) => time / 1000)
    expect(EVENTS).toContain(`| awaited for | ${seconds[0]} second | ${seconds[1]} seconds |`)
  })
})
