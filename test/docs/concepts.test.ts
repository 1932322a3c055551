/** docs/concepts: the requests, cookies and claims that the pages quote are those of a real sign-in. */
import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { decode } from '../../src/jwt.ts'
import { browser, issuer } from '../../src/testing/index.ts'
import { configFor, SECRET } from '../config.ts'

const COOKIE = '__Host-lib.session-token'

/** Everything that a sign-in sends, in order. */
const sent: string[] = []

beforeAll(async () => {
  const op = await issuer()
  const { config } = configFor(op, {
    async fetch(input, init) {
      const { method, url, headers } = new Request(input, init)
      const lines = [...headers].map(([name, value]) => `${name}: ${value}`)
      const body = await new Request(input, init).text()
      sent.push([`${method} ${url}`, ...lines, '', body].join('\n'))
      return op.fetch(input, init)
    },
  })
  const tab = browser(config, { issuer: op })
  const attempt = await tab.begin('op')
  const answer = await op.authorize(attempt.url)
  const response = await attempt.comeBack(answer)
  sent.push(String(attempt.url), answer.url)
  for (const [name, value] of response.headers) sent.push(`${name}: ${value}`)
  const token = tab.cookies.get(COOKIE)?.value ?? ''
  const [header = ''] = token.split('.')
  sent.push(Buffer.from(header, 'base64url').toString())
  const claims = await decode({ token, secret: SECRET, salt: COOKIE })
  sent.push(Object.keys(claims ?? {}).join(' '))
})

test.each(['docs/concepts/oauth.md', 'docs/concepts/sessions.md'])(
  '%s quotes what is sent',
  (document) => {
    const page = readFileSync(new URL(`../../${document}`, import.meta.url), 'utf8')
    const quoted = [...page.matchAll(/^```text\n([^]*?)\n```$/gm)].map(([, text = '']) => text)
    expect(quoted.length).toBeGreaterThan(0)
    const all = sent.join('\n')
    for (const line of quoted.flatMap((text) => text.split('\n'))) {
      const parts = line.split('…').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      expect(all).toMatch(new RegExp(`^${parts.join('[^\\n]+')}$`, 'm'))
    }
  },
)
