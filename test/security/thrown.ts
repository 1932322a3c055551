/** Ways in which code of the application throws what it was told. */
import { inspect } from 'node:util'

/** Throws what a function was told, one way or another. */
export type Fail = (told: unknown) => never

export const ways: [string, (told: unknown) => unknown][] = [
  ['in the message', (told) => new Error(inspect(told, { depth: 20, maxStringLength: null }))],
  ['in JSON', (told) => new Error(`It failed: ${JSON.stringify(told)}`)],
  [
    'in a form',
    (told) => new Error(new URLSearchParams({ told: JSON.stringify(told) }).toString()),
  ],
  ['as a property', (told) => Object.assign(new Error('It failed.'), { told, code: 'E1' })],
  ['in the cause', (told) => new Error('It failed.', { cause: new Error(inspect(told)) })],
  ['itself', (told) => told],
  ['in a Map', (told) => Object.assign(new Error('It failed.'), { m: new Map([['told', told]]) })],
  ['in a Set', (told) => Object.assign(new Error('It failed.'), { s: new Set([told]) })],
  [
    'in URLSearchParams',
    (told) => Object.assign(new Error('It failed.'), { body: new URLSearchParams(flat(told)) }),
  ],
  [
    'in the URL of a Request',
    (told) => {
      const url = new URL(`https://backend.test/?${String(new URLSearchParams(flat(told)))}`)
      return Object.assign(new Error('It failed.'), { cause: { request: new Request(url), url } })
    },
  ],
  [
    'in Headers',
    (told) => {
      const headers = new Headers({ told: encodeURIComponent(JSON.stringify(flat(told))) })
      return Object.assign(new Error('It failed.'), { response: { headers } })
    },
  ],
  ['in a key', (told) => Object.assign(new Error('It failed.'), { keys: keysOf(told) })],
]

/** The texts in a value, by place. */
function flat(told: unknown, place = 'told'): Record<string, string> {
  if (typeof told !== 'object' || told === null) return { [place]: String(told) }
  const entries = Object.entries(told).map(([key, value]) => flat(value, `${place}.${key}`))
  return Object.assign({}, ...entries) as Record<string, string>
}

function keysOf(told: unknown): object {
  return Object.fromEntries(Object.values(flat(told)).map((text) => [text, true]))
}
