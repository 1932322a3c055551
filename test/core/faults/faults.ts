/** The faults of one call. */

/** Calls the original function, or fails in its place. */
type Happen = (original: () => unknown, args: readonly unknown[]) => unknown

/** One fault; the letters are those of the fault matrix. */
export interface Fault {
  readonly kind: 'F1' | 'F2' | 'F3' | 'F4' | 'F6' | 'F1+' | 'F2+'
  readonly name: string
  /** Whether the fault lasts until the response. */
  readonly lasts?: true
  readonly happen: Happen
}

/** Milliseconds within every timeout except those of event handlers and clean-up. */
const SLOW = 900

const never = (): Promise<never> => new Promise(() => undefined)
const pause = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, SLOW))

/** The parts of a request that HTTP clients put into errors. */
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

/** F1 throws, F2 never responds, F4 is slow, F6 succeeds and its response is lost. */
const ALWAYS: readonly Fault[] = [
  {
    kind: 'F1',
    name: 'throws',
    happen: (_original, args) => {
      throw quoting('refused', args)
    },
  },
  {
    kind: 'F1',
    name: 'rejects',
    happen: async (_original, args) => Promise.reject(quoting('down', args)),
  },
  { kind: 'F2', name: 'never responds', happen: never },
  {
    kind: 'F4',
    name: 'is slow',
    happen: async (original) => {
      await pause()
      return original()
    },
  },
  {
    kind: 'F6',
    name: 'succeeds, and its response is lost',
    happen: async (original, args) => {
      await original()
      throw quoting('connection lost', args)
    },
  },
  {
    kind: 'F6',
    name: 'succeeds, and never responds',
    happen: async (original) => {
      await original()
      return never()
    },
  },
]

/** Outages that last until the response, so that nothing can be undone. */
const OUTAGES: readonly Fault[] = [
  {
    kind: 'F1+',
    name: 'is down from here on',
    lasts: true,
    happen: async (_original, args) => Promise.reject(quoting('down', args)),
  },
  { kind: 'F2+', name: 'stops responding from here on', lasts: true, happen: never },
]

/** F3: succeeds, and returns an invalid value. */
function returns(name: string, answer: () => unknown): Fault {
  return {
    kind: 'F3',
    name: `returns ${name}`,
    happen: async (original) => {
      await original()
      return answer()
    },
  }
}

const UNDEFINED = returns('undefined', () => undefined)
const NULL = returns('null', () => null)
const OTHERS: readonly Fault[] = [
  returns('{}', () => ({})),
  returns('text', () => 'garbage'),
  returns('a number', () => 42),
]

const JSON_TYPE = { headers: { 'content-type': 'application/json' } }

/** Responses of a gateway in front of a provider. */
const RESPONSES: readonly Fault[] = [
  returns('HTML', () => new Response('<h1>502</h1>', { headers: { 'content-type': 'text/html' } })),
  returns('truncated JSON', () => new Response('{"access_token":"half', JSON_TYPE)),
  returns('JSON null', () => new Response('null', JSON_TYPE)),
  returns('JSON {}', () => new Response('{}', JSON_TYPE)),
  returns('nothing', () => new Response(null, JSON_TYPE)),
  returns('500', () => Response.json({ error: 'server_error' }, { status: 500 })),
  returns('a redirect', () => new Response(null, { status: 302, headers: { location: '/login' } })),
  returns('a value that is not a Response', () => undefined),
]

/** Methods that may return `null` or `undefined`: there is no such row. */
const FINDERS = new Set([
  'adapter.getUser',
  'adapter.getUserByEmail',
  'adapter.getUserByAccount',
  'adapter.getSessionAndUser',
  'adapter.useVerificationToken',
])

/** Invalid results of a call. */
function garbageFor(name: string): readonly Fault[] {
  if (name.startsWith('fetch ')) return RESPONSES
  if (FINDERS.has(name)) return OTHERS
  return [UNDEFINED, NULL, ...OTHERS]
}

/** Every fault of a call. */
export function faultsOf(call: string): readonly Fault[] {
  const [name = ''] = call.split(' (')
  const outages = /^(?:adapter\.|fetch )/.test(name) ? OUTAGES : []
  return [...ALWAYS, ...outages, ...garbageFor(name)]
}
