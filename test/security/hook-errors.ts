/** Errors of application functions that contain the arguments of the call. */
import { inspect } from 'node:util'

/** Throws an error that contains the arguments. */
export type Fail = (args: unknown) => never

export const hookErrors: [string, (args: unknown) => unknown][] = [
  ['in the message', (args) => new Error(inspect(args, { depth: 20, maxStringLength: null }))],
  ['in JSON', (args) => new Error(`It failed: ${JSON.stringify(args)}`)],
  [
    'in a form',
    (args) => new Error(new URLSearchParams({ args: JSON.stringify(args) }).toString()),
  ],
  ['as a property', (args) => Object.assign(new Error('It failed.'), { args, code: 'E1' })],
  ['in the cause', (args) => new Error('It failed.', { cause: new Error(inspect(args)) })],
  ['itself', (args) => args],
  ['in a Map', (args) => Object.assign(new Error('It failed.'), { m: new Map([['args', args]]) })],
  ['in a Set', (args) => Object.assign(new Error('It failed.'), { s: new Set([args]) })],
  [
    'in URLSearchParams',
    (args) => Object.assign(new Error('It failed.'), { body: new URLSearchParams(flat(args)) }),
  ],
  [
    'in the URL of a Request',
    (args) => {
      const url = new URL(`https://backend.test/?${String(new URLSearchParams(flat(args)))}`)
      return Object.assign(new Error('It failed.'), { cause: { request: new Request(url), url } })
    },
  ],
  [
    'in Headers',
    (args) => {
      const headers = new Headers({ args: encodeURIComponent(JSON.stringify(flat(args))) })
      return Object.assign(new Error('It failed.'), { response: { headers } })
    },
  ],
  ['in a key', (args) => Object.assign(new Error('It failed.'), { keys: keysOf(args) })],
]

/** The strings in a value, by path. */
function flat(args: unknown, place = 'args'): Record<string, string> {
  if (typeof args !== 'object' || args === null) return { [place]: String(args) }
  const entries = Object.entries(args).map(([key, value]) => flat(value, `${place}.${key}`))
  return Object.assign({}, ...entries) as Record<string, string>
}

function keysOf(args: unknown): object {
  return Object.fromEntries(Object.values(flat(args)).map((text) => [text, true]))
}
