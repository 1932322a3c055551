/** `secureHeaders` of Hono in front of the routes. */
import { createServer } from 'node:http'
import { createAdaptorServer } from '@hono/node-server'
import { Hono } from 'hono'
import { secureHeaders } from 'hono/secure-headers'
import { afterAll, expect, test } from 'vitest'
import HonoLib from '../../src/frameworks/hono/index.ts'
import { siteConfig } from './conformance/site.ts'
import { rawClient } from './raw-client.ts'
import { listen } from './servers/listen.ts'

const ends: (() => unknown)[] = []
afterAll(async () => void (await Promise.all(ends.map(async (end) => end()))))

type Options = Parameters<typeof secureHeaders>[0]

/** The policy of the sign-in page, and where its form leads if the browser follows the policy. */
async function submit(options: Options, site: string) {
  const lib = HonoLib(siteConfig().config)
  const app = new Hono().use(secureHeaders(options)).use(lib.handler)
  const server = createAdaptorServer({ fetch: app.fetch, createServer })
  const { origin, stop } = await listen(server as never)
  const user = rawClient(origin)
  ends.push(stop, () => user.close())
  const page = await user.send('/auth/signin')
  const policy = page.headers['referrer-policy']
  const answer = await user.send('/auth/callback/credentials', {
    form: { csrfToken: await user.csrfToken(), username: 'ada', password: 'right' },
    // Fetch, "append a request Origin header": with no-referrer it is null.
    headers: { 'sec-fetch-site': site, origin: policy === 'no-referrer' ? 'null' : origin },
  })
  return [policy, answer.headers.location?.replace(origin, '') || '/']
}

const REJECTED = expect.stringContaining('error=MissingCSRF')

test.each<[string, Options, string, unknown[]]>([
  [
    'accepts a form of a browser that sends Sec-Fetch-Site',
    {},
    'same-origin',
    ['no-referrer', '/'],
  ],
  ['rejects a form of a browser that does not', {}, '', ['no-referrer', REJECTED]],
  [
    'accepts it with the policy of the guide',
    { referrerPolicy: 'same-origin' },
    '',
    ['same-origin', '/'],
  ],
])('%s', async (_, options, site, expected) => {
  expect(await submit(options, site)).toEqual(expected)
})
