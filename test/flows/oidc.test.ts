import { expect, test } from 'vitest'
import { browser, issuer } from '../../src/testing/index.ts'
import { configFor } from '../config.ts'

test('signs in with an OpenID provider and sees the session', async () => {
  const op = await issuer()
  const { config, log } = configFor(op)
  const tab = browser(config, { issuer: op })
  expect(await tab.session()).toBeNull()
  const response = await tab.signIn('op')
  expect(log.errors).toEqual([])
  expect(response.status).toBe(302)
  expect(response.headers.get('location')).toBe('https://app.test')
  expect(await tab.session()).toMatchObject({
    user: { name: 'Ada Lovelace', email: 'ada@example.com' },
  })
  expect(op.requests).toEqual({ discovery: 1, jwks: 1, token: 1, userinfo: 0 })
})
