/** docs/testing/provider.md: its tests run as tests of this file. */
import { expect, test } from 'vitest'
import type { Browser, Issuer } from '../../src/testing/index.ts'
import { openGuide } from './guide.ts'

const guide = openGuide('testing-provider', 'docs/testing/provider.md')
await guide.load('faults.test.ts')
await guide.load('github.test.ts')

test('the site of the page issues refresh tokens', async () => {
  const { op, open } = await guide.load<{
    op: Issuer
    open: () => Browser
  }>('site.ts')
  const tokens: Record<string, unknown>[] = []
  op.misbehaviour.token = (body) => {
    tokens.push(body)
    return body
  }
  await open().signIn('op')
  op.reset()
  expect(tokens[0]).toMatchObject({ expires_in: 300, refresh_token: expect.any(String) })
})
