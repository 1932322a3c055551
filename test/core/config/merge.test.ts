import { describe, expect, test } from 'vitest'
import { merge } from '../../../src/core/config/provider-list.ts'

const symbol = Symbol('mine')

class Key {
  readonly bytes = [1, 2]
}

test.each<[string, object, object, object]>([
  ['an empty object', { a: 1 }, {}, { a: 1 }],
  ['a value', { a: 1 }, { a: 2 }, { a: 2 }],
  ['a new one', { a: 1 }, { b: 2 }, { a: 1, b: 2 }],
  ['a value inside', { a: { b: 1, c: 1 } }, { a: { b: 2 } }, { a: { b: 2, c: 1 } }],
  [
    'deep inside',
    { a: { b: { c: 1, d: 1 } } },
    { a: { b: { d: 2 } } },
    { a: { b: { c: 1, d: 2 } } },
  ],
  ['undefined, which leaves the default', { a: 1 }, { a: undefined }, { a: 1 }],
  ['undefined inside', { a: { b: 1 } }, { a: { b: undefined } }, { a: { b: 1 } }],
  ['undefined without a default', {}, { a: undefined }, {}],
  ['null, which is a value', { a: { b: 1 } }, { a: null }, { a: null }],
  ['false', { a: true }, { a: false }, { a: false }],
  ['an empty string', { a: 'x' }, { a: '' }, { a: '' }],
  ['a list, as a whole', { a: [1, 2, 3] }, { a: [4] }, { a: [4] }],
  ['an empty list', { a: [1] }, { a: [] }, { a: [] }],
  ['data over a list', { a: [1] }, { a: { b: 1 } }, { a: { b: 1 } }],
  ['data over a value', { a: 1 }, { a: { b: 1 } }, { a: { b: 1 } }],
  ['a value over data', { a: { b: 1 } }, { a: 1 }, { a: 1 }],
  [
    'parameters over a URL',
    { a: '/x' },
    { a: { params: { b: 1 } } },
    { a: { url: '/x', params: { b: 1 } } },
  ],
  ['another URL over a URL', { a: '/x' }, { a: { url: '/y' } }, { a: { url: '/y' } }],
  ['a URL over parameters', { a: { url: '/x', params: {} } }, { a: '/y' }, { a: '/y' }],
  ['a symbol', { [symbol]: 1 }, { [symbol]: 2 }, { [symbol]: 2 }],
  ['a new symbol', {}, { [symbol]: 2 }, { [symbol]: 2 }],
  [
    'data without a prototype',
    { a: { b: 1 } },
    { a: Object.assign(Object.create(null), { c: 2 }) },
    { a: { b: 1, c: 2 } },
  ],
])('merges: %s', (_what, defaults, overrides, expected) => {
  expect(merge(defaults, overrides)).toEqual(expected)
})

test.each([
  ['a date', new Date(0)],
  ['a URL', new URL('https://app.test')],
  ['an instance', new Key()],
  ['a function', () => 1],
  ['a map', new Map([['a', 1]])],
  ['bytes', new Uint8Array([1, 2])],
])('keeps %s unmerged', (_what, value) => {
  expect(merge({ a: { b: 1 } }, { a: value })['a']).toBe(value)
  expect(merge({ a: value }, { a: { b: 1 } })['a']).toEqual({ b: 1 })
  expect(merge({ a: value }, {})['a']).toBe(value)
})

test('keeps a crypto key unmerged', async () => {
  const algorithm = { name: 'AES-GCM', length: 256 }
  const key = await crypto.subtle.generateKey(algorithm, false, ['encrypt'])
  expect(merge({ token: { key: { a: 1 } } }, { token: { key } })).toEqual({ token: { key } })
  expect(merge({ token: {} }, { token: { key } })['token']).toHaveProperty('key', key)
})

describe('merge', () => {
  const make = () => ({ list: [1], inner: { deep: { a: 1 } }, url: '/x' })

  test('changes neither argument', () => {
    const [defaults, overrides] = [make(), { inner: { deep: { b: 2 } }, url: { params: {} } }]
    const frozen = structuredClone(overrides)
    merge(defaults, overrides)
    expect(defaults).toEqual(make())
    expect(overrides).toEqual(frozen)
  })

  test('accepts frozen arguments', () => {
    const deep = Object.freeze({ a: 1 })
    const defaults = Object.freeze({ inner: Object.freeze({ deep }) })
    const overrides = Object.freeze({ inner: Object.freeze({ deep: Object.freeze({ b: 2 }) }) })
    expect(merge(defaults, overrides)).toEqual({ inner: { deep: { a: 1, b: 2 } } })
  })

  test('returns new objects at every merged depth', () => {
    const [defaults, overrides] = [make(), { inner: { deep: { b: 2 } } }]
    const merged = merge(defaults, overrides)
    expect(merged['inner']).not.toBe(defaults.inner)
    expect(merged['inner']).not.toBe(overrides.inner)
  })
})

test.each(['{"__proto__":{"polluted":1}}', '{"a":{"__proto__":{"polluted":1}}}'])(
  'does not pollute prototypes with JSON data: %s',
  (json) => {
    const overrides: object = JSON.parse(json)
    const merged = merge({ a: { b: 1 } }, overrides)
    expect(merged).not.toHaveProperty('polluted')
    expect(merged['a']).not.toHaveProperty('polluted')
    expect({}).not.toHaveProperty('polluted')
  },
)
