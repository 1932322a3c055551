import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isAuthAction } from '../../../src/index.ts'
import { normalizeBasePath } from '../../../src/core/http/base-path.ts'
import { parsePath } from '../../../src/core/http/path.ts'

const PLAIN = ['csrf', 'error', 'providers', 'session', 'signout', 'verify-request']
const WITH_PROVIDER = [
  'backchannel-logout',
  'callback',
  'frontchannel-logout',
  'signin',
  'webauthn-options',
]

describe('isAuthAction', () => {
  test.each([...PLAIN, ...WITH_PROVIDER])('accepts %s', (action) => {
    expect(isAuthAction(action)).toBe(true)
  })

  test.each(['', 'Signin', 'signin ', 'sign-in', 'toString', '__proto__', 'constructor', 'auth'])(
    'rejects %j',
    (action) => {
      expect(isAuthAction(action)).toBe(false)
    },
  )
})

describe('parsePath', () => {
  test.each([
    ['/auth/signin', '/auth', 'signin', undefined],
    ['/auth/signin/', '/auth', 'signin', undefined],
    ['/auth/signin/github', '/auth', 'signin', 'github'],
    ['/auth/signin/github/', '/auth', 'signin', 'github'],
    ['/auth/callback/my-op', '/auth', 'callback', 'my-op'],
    ['/auth/callback/session', '/auth', 'callback', 'session'],
    ['/auth/callback/My.op_2~', '/auth', 'callback', 'My.op_2~'],
    ['/auth/callback/__proto__', '/auth', 'callback', '__proto__'],
    ['/auth/verify-request', '/auth', 'verify-request', undefined],
    ['/signout', '', 'signout', undefined],
    ['/a.uth/csrf', '/a.uth', 'csrf', undefined],
    ['/a(uth/csrf', '/a(uth', 'csrf', undefined],
    ['/a/b/c/csrf', '/a/b/c', 'csrf', undefined],
    ['/auth/auth/session', '/auth/auth', 'session', undefined],
    ['/signin/signin', '/signin', 'signin', undefined],
  ])('parses %s below %j as %s of %s', (path, basePath, action, providerId) => {
    expect(parsePath(path, basePath)).toEqual({ action, providerId })
  })

  test.each([
    ['/authsignin', '/auth'],
    ['/auth', '/auth'],
    ['/auth/', '/auth'],
    ['/', ''],
    ['', ''],
    ['/auth//signin', '/auth'],
    ['//auth/signin', '/auth'],
    ['/auth/signin//', '/auth'],
    ['/auth/signin//github', '/auth'],
    ['/auth/SIGNIN', '/auth'],
    ['/AUTH/signin', '/auth'],
    ['/auth/%73ignin', '/auth'],
    ['/auth%2Fsignin', '/auth'],
    ['/auth/signin;x=1', '/auth'],
    ['/auth/signin%00', '/auth'],
    ['/auth/..%2fsignin', '/auth'],
    ['/auth/signin/github/more', '/auth'],
    ['/auth/session/github', '/auth'],
    ['/auth/csrf/x', '/auth'],
    ['/auth/callback/a%2Fb', '/auth'],
    ['/auth/callback/.', '/auth'],
    ['/auth/callback/..', '/auth'],
    ['/auth/callback/..%2f..%2fadmin', '/auth'],
    ['/auth/callback/..%5c..%5cadmin', '/auth'],
    ['/auth/callback/%2e%2e', '/auth'],
    ['/auth/callback/op;x', '/auth'],
    ['/auth/callback/op@x', '/auth'],
    ['/auth/unknown', '/auth'],
    ['/auth/__proto__', '/auth'],
    ['/axuth/csrf', '/a.uth'],
    ['/other/auth/signin', '/auth'],
    ['/auth/signin', '/auth/signin'],
  ])('rejects %j below %j', (path, basePath) => {
    expect(parsePath(path, basePath)).toBeNull()
  })

  test('accepts one spelling of each route, apart from a trailing slash', () => {
    const segment = fc.constantFrom(
      '',
      '/',
      'auth',
      'signin',
      'session',
      '%2f',
      '.',
      '..',
      'x',
      ';',
    )
    fc.assert(
      fc.property(fc.array(segment, { maxLength: 4 }), (segments) => {
        const path = `/auth/${segments.join('/')}`
        const route = parsePath(path, '/auth')
        if (!route) return
        const { action, providerId } = route
        const canonical = providerId === undefined ? action : `${action}/${providerId}`
        expect([`/auth/${canonical}`, `/auth/${canonical}/`]).toContain(path)
      }),
      { numRuns: 2000 },
    )
  })

  test('parses a path of 64 kB quickly', () => {
    const begin = process.cpuUsage()
    for (const part of ['/', 'a', '/a', '%2f', 'signin/'])
      expect(parsePath(`/auth/${part.repeat(65_536 / part.length)}`, '/auth')).toBeNull()
    expect(process.cpuUsage(begin).user).toBeLessThan(100_000)
  })
})

test.each([
  ['/auth', '/auth'],
  ['auth', '/auth'],
  ['/auth/', '/auth'],
  ['//auth//', '/auth'],
  ['/api/auth', '/api/auth'],
  ['api/auth/', '/api/auth'],
  ['/', ''],
  ['//', ''],
  ['', ''],
  ['/über', '/%C3%BCber'],
  ['/%C3%BCber/', '/%C3%BCber'],
  ['my site/auth', '/my%20site/auth'],
  ['/a(b)', '/a(b)'],
  ['/a?b#c\\d', '/a%3Fb%23c%5Cd'],
])('normalizes the base path %j to %j', (basePath, expected) => {
  expect(normalizeBasePath(basePath)).toBe(expected)
  expect(normalizeBasePath(expected)).toBe(expected)
})
