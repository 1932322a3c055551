import { expect, test } from 'vitest'
import { InvalidConfiguration } from '../../src/errors/classes.ts'
import Gitea from '../../src/providers/gitea.ts'
import { browser } from '../../src/testing/index.ts'
import { SECRET, silentLog } from '../config.ts'
import { OPTIONS } from './vendor.ts'

test.each(['https://git.example.com', 'https://git.example.com/'])(
  'sends users to Gitea at %s',
  async (baseUrl) => {
    const providers = [Gitea({ ...OPTIONS, baseUrl })]
    const { url } = await browser({ providers, secret: SECRET, trustHost: true }).begin('gitea')
    expect(url.origin + url.pathname).toBe('https://git.example.com/login/oauth/authorize')
  },
)

test('rejects a Gitea provider without a baseUrl', () => {
  expect(() => Gitea({ ...OPTIONS, baseUrl: '' })).toThrow(InvalidConfiguration)
})

test.each([
  ['a provider without options', Gitea, 'has no baseUrl'],
  ['a host', Gitea({ ...OPTIONS, baseUrl: 'git.example.com' }), 'a URL'],
])('reports %s as the configuration of Gitea', async (_what, provider, message) => {
  const { log, logger } = silentLog()
  const site = browser({ providers: [provider], secret: SECRET, trustHost: true, logger })
  await site.request('signin')
  expect(log.errors[0]?.message).toContain(message)
})
