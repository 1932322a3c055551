/** The faults of one call. */

/** Works as it should, or as the fault has it. */
type Happen = (genuine: () => unknown, args: readonly unknown[]) => unknown

/** One fault; the letters are those of the fault matrix. */
export interface Fault {
  readonly kind: 'F1' | 'F2' | 'F3' | 'F4' | 'F6' | 'F1+' | 'F2+'
  readonly name: string
  /** Whether the fault lasts until the response. */
  readonly lasts?: true
  readonly happen: Happen
}

/** Milliseconds: long, and within every budget but that of handlers and clean-up. */
const SLOW = 900

const never = (): Promise<never> => new Promise(() => undefined)
const pause = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, SLOW))

/** What a client of HTTP knows of a request. */
function quoted(value: unknown): unknown {
  if (value instanceof URL) return value.href
  if (value instanceof Request) return [value.url, ...value.headers]
  if (typeof value !== 'object' || value === null || !('body' in value || 'headers' in value))
    return value
  const { body, headers } = value as { body?: unknown; headers?: Headers }
  return {
    body: body instanceof URLSearchParams ? String(body) : null,
    headers: [...(headers ?? [])],
  }
}

/** An error that quotes its arguments, as those of database drivers and service clients do. */
function quoting(what: string, args: readonly unknown[]): Error {
  const parameters = args.map(quoted)
  const cause = Object.assign(new Error(`${what}: ${safeJson(parameters)}`), { parameters })
  return Object.assign(new Error(`${what} with ${safeJson(parameters)}`, { cause }), { parameters })
}

function safeJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? ''
  } catch {
    return ''
  }
}

/** F1 throws, F2 never answers, F4 is slow, F6 has done it and says that it has not. */
const ALWAYS: readonly Fault[] = [
  {
    kind: 'F1',
    name: 'throws',
    happen: (_genuine, args) => {
      throw quoting('refused', args)
    },
  },
  {
    kind: 'F1',
    name: 'rejects',
    happen: async (_genuine, args) => Promise.reject(quoting('down', args)),
  },
  { kind: 'F2', name: 'never answers', happen: never },
  {
    kind: 'F4',
    name: 'is slow',
    happen: async (genuine) => {
      await pause()
      return genuine()
    },
  },
  {
    kind: 'F6',
    name: 'works, and its answer is lost',
    happen: async (genuine, args) => {
      await genuine()
      throw quoting('connection lost', args)
    },
  },
  {
    kind: 'F6',
    name: 'works, and never says so',
    happen: async (genuine) => {
      await genuine()
      return never()
    },
  },
]

/** Down until the answer is there: what has been begun cannot be taken back, either. */
const OUTAGES: readonly Fault[] = [
  {
    kind: 'F1+',
    name: 'is down from here on',
    lasts: true,
    happen: async (_genuine, args) => Promise.reject(quoting('down', args)),
  },
  { kind: 'F2+', name: 'is silent from here on', lasts: true, happen: never },
]

/** F3: it has done what it should, and answers with something else. */
function answers(name: string, answer: () => unknown): Fault {
  return {
    kind: 'F3',
    name: `answers ${name}`,
    happen: async (genuine) => {
      await genuine()
      return answer()
    },
  }
}

const UNDEFINED = answers('undefined', () => undefined)
const NULL = answers('null', () => null)
const OTHERS: readonly Fault[] = [
  answers('{}', () => ({})),
  answers('text', () => 'garbage'),
  answers('a number', () => 42),
]

const JSON_TYPE = { headers: { 'content-type': 'application/json' } }

/** What providers send when something in front of them answers for them. */
const RESPONSES: readonly Fault[] = [
  answers('HTML', () => new Response('<h1>502</h1>', { headers: { 'content-type': 'text/html' } })),
  answers('half of its JSON', () => new Response('{"access_token":"half', JSON_TYPE)),
  answers('JSON null', () => new Response('null', JSON_TYPE)),
  answers('JSON {}', () => new Response('{}', JSON_TYPE)),
  answers('nothing', () => new Response(null, JSON_TYPE)),
  answers('500', () => Response.json({ error: 'server_error' }, { status: 500 })),
  answers('a redirect', () => new Response(null, { status: 302, headers: { location: '/login' } })),
  answers('what is no response', () => undefined),
]

/** Methods that may return `null` or `undefined`: there is no such row. */
const FINDERS = new Set([
  'adapter.getUser',
  'adapter.getUserByEmail',
  'adapter.getUserByAccount',
  'adapter.getSessionAndUser',
  'adapter.useVerificationToken',
])

/** Answers that are none. */
function garbageFor(name: string): readonly Fault[] {
  if (name.startsWith('fetch ')) return RESPONSES
  if (FINDERS.has(name)) return OTHERS
  return [UNDEFINED, NULL, ...OTHERS]
}

/** Everything that can go wrong with a call. */
export function faultsOf(call: string): readonly Fault[] {
  const [name = ''] = call.split(' (')
  const outages = /^(?:adapter\.|fetch )/.test(name) ? OUTAGES : []
  return [...ALWAYS, ...outages, ...garbageFor(name)]
}
