import { expect, test } from 'vitest'
import { InvalidConfiguration } from '../../src/core/errors/classes.ts'
import Synology from '../../src/providers/synology.ts'
import { browser } from '../../src/testing/index.ts'
import { SECRET, silentLog } from '../config.ts'
import { OPTIONS } from './vendor.ts'

test.each(['https://nas.example.com:5001', 'https://nas.example.com:5001//'])(
  'sends users to the Synology NAS at %s',
  async (baseUrl) => {
    const providers = [Synology({ ...OPTIONS, baseUrl })]
    const { url } = await browser({ providers, secret: SECRET, trustHost: true }).begin('synology')
    expect(url.origin + url.pathname).toBe('https://nas.example.com:5001/webman/sso/SSOOauth.cgi')
  },
)

test.each(['', 'nas.example.com'])('rejects "%s" as the baseUrl of Synology', (baseUrl) => {
  expect(() => Synology({ ...OPTIONS, baseUrl })).toThrow(InvalidConfiguration)
  expect(() => Synology({ ...OPTIONS, baseUrl })).toThrow('https://nas.example.com:5001')
})

test('reports a Synology provider without options', async () => {
  const { log, logger } = silentLog()
  const site = browser({ providers: [Synology], secret: SECRET, trustHost: true, logger })
  await site.request('signin')
  expect(log.errors[0]?.message).toContain('baseUrl of the Synology provider is not a URL')
})
