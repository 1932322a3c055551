import { expect, test } from 'vitest'
import { browser } from '../../src/testing/index.ts'
import { enter, passwordConfig } from '../config.ts'

const circular: Record<string, unknown> = {}
circular['self'] = circular

test.each<[string, unknown]>([
  ['a BigInt', 1n],
  ['a circular reference', circular],
  ['a toJSON that throws', { toJSON: () => JSON.parse('') }],
])('a session with %s is an error of the server', async (_what, value) => {
  const { config, log } = passwordConfig({
    callbacks: { session: ({ session }) => Object.assign(session, { value }) },
  })
  const tab = browser(config)
  await enter(tab)
  const response = await tab.request('session', { headers: { accept: 'application/json' } })
  expect(response.status).toBe(500)
  expect(log.errors).toHaveLength(1)
})
