import { expect, test } from 'vitest'
import { perRequest } from '../../src/frameworks/shared/per-request.ts'

const requests: readonly (readonly [kind: string, request: object])[] = [
  ['a Request', new Request('http://app.test/')],
  ['a frozen object', Object.freeze({})],
  ['a proxy', new Proxy({}, {})],
  ['an object without a prototype', Object.create(null)],
]

test.each(requests)('keeps and replaces the value of %s', (_kind, request) => {
  const [values, others] = [perRequest<string>(), perRequest<string>()]
  expect(values.get(request)).toBeUndefined()
  values.set(request, 'first')
  others.set(request, 'other')
  values.set(request, 'second')
  expect([values.get(request), others.get(request)]).toEqual(['second', 'other'])
})

test('a value is not visible on the request, and not copied with it', () => {
  const values = perRequest<string>()
  const request = { url: '/' }
  values.set(request, 'secret')
  expect(Reflect.ownKeys(request)).toEqual(['url'])
  for (const copy of [{ ...request }, Object.create(request)])
    expect(values.get(copy)).toBeUndefined()
})
