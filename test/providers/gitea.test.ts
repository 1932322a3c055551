import { expect, test } from 'vitest'
import { InvalidConfiguration } from '../../src/core/errors/classes.ts'
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

test.each(['', 'git.example.com'])('rejects "%s" as the baseUrl of Gitea', (baseUrl) => {
  expect(() => Gitea({ ...OPTIONS, baseUrl })).toThrow(InvalidConfiguration)
  expect(() => Gitea({ ...OPTIONS, baseUrl })).toThrow('https://git.example.com')
})

test('reports a Gitea provider without options', async () => {
  const { log, logger } = silentLog()
  const site = browser({ providers: [Gitea], secret: SECRET, trustHost: true, logger })
  await site.request('signin')
  expect(log.errors[0]?.message).toContain('baseUrl of the Gitea provider is not a URL')
})
