import { expect, test } from 'vitest'
import FusionAuth from '../../src/providers/fusionauth.ts'
import { browser, issuer } from '../../src/testing/index.ts'
import { SECRET, silentLog } from '../config.ts'
import { OPTIONS } from './vendor.ts'

const ISSUER = 'https://fusionauth.example.com'
const tenantId = '00000000-0000-4000-8000-0000000000bb'

/** A site with FusionAuth, which sends WWW-Authenticate with each token response. */
async function siteWith(options: Parameters<typeof FusionAuth>[0]) {
  const op = await issuer({ ...OPTIONS, url: ISSUER })
  const { log, logger } = silentLog()
  const requests: string[] = []
  const tab = browser(
    {
      providers: [FusionAuth({ ...OPTIONS, ...options })],
      secret: SECRET,
      trustHost: true,
      logger,
      fetch: async (input, init) => {
        const request = new Request(input, init)
        requests.push(request.url)
        const response = await op.fetch(request)
        response.headers.set('www-authenticate', 'Bearer realm="FusionAuth"')
        return response
      },
    },
    { issuer: op },
  )
  return { tab, log, requests }
}

test.each([ISSUER, `${ISSUER}/`])('signs in with FusionAuth at %s', async (url) => {
  const { tab, log } = await siteWith({ issuer: url })
  await tab.signIn('fusionauth')
  expect(log.errors).toEqual([])
  expect(await tab.session()).not.toBeNull()
})

test('selects the tenant in the request and in the metadata of FusionAuth', async () => {
  const { tab, log, requests } = await siteWith({ issuer: `${ISSUER}/`, tenantId })
  const { url } = await tab.begin('fusionauth')
  expect(log.errors).toEqual([])
  expect(requests).toEqual([`${ISSUER}/.well-known/openid-configuration?tenantId=${tenantId}`])
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    tenantId,
    scope: 'openid offline_access email profile',
  })
})

test.each([ISSUER, 'default'])('rejects "%s" as the tenant of FusionAuth', (value) => {
  const create = () => FusionAuth({ ...OPTIONS, issuer: ISSUER, tenantId: value })
  expect(create).toThrow('Set it to the id of the tenant')
})

test('reports a tenant id as the issuer of FusionAuth', async () => {
  const { tab, log } = await siteWith({ issuer: tenantId })
  await tab.request('signin')
  expect(log.errors[0]?.message).toContain('issuer')
  expect(log.errors[0]?.message).toContain('Write it in full')
})
