/** The origin of the site behind reverse proxies. */
import { describe, expect, test } from 'vitest'
import { rawBytes } from '../raw-client.ts'
import type { Exceptions } from './index.ts'
import { nameOf, signInByJson } from './site.ts'
import type { Open } from './site.ts'

const ADDRESS = 'https://app.test'

export function hostRows(open: Open, exceptions: Exceptions): void {
  test('uses one secure cookie everywhere if the configured origin has https', async () => {
    const site = await open({ overrides: { origin: ADDRESS, session: { updateAge: 0 } } })
    const user = site.user(ADDRESS)
    const answer = await signInByJson(user)
    expect(JSON.parse(answer.body)).toEqual({ url: ADDRESS })
    const token = /^__Host-lib\.session-token=.*; Secure/
    expect(answer.setCookies.filter((each) => token.test(each))).toHaveLength(1)
    for (const path of [`${open.basePath}/session`, '/me', '/page']) {
      const { body, setCookies } = await user.send(path)
      expect(body).toContain('User ada')
      expect([path, setCookies.length, setCookies.every((each) => token.test(each))]).toEqual([
        path,
        1,
        true,
      ])
    }
    if (open.isRecipe) return
    const page = await site.user(ADDRESS).send('/guarded')
    expect(page.headers.location).toContain(`${ADDRESS}${open.basePath}/signin?callbackUrl=https`)
  })

  test('uses the forwarded host and protocol only of a trusted proxy', async () => {
    const forwarded = { 'x-forwarded-host': 'app.test', 'x-forwarded-proto': 'https' }
    const trusting = await open({ overrides: { trustHost: true, trustedHosts: undefined } })
    const user = trusting.user(ADDRESS)
    const headers = { ...forwarded, host: 'internal:8080' }
    const providers = await user.send(`${open.basePath}/providers`, { headers })
    expect(JSON.parse(providers.body).op.signinUrl).toBe(`${ADDRESS}${open.basePath}/signin/op`)
    const page = await user.send('/guarded', { headers })
    if (!open.isRecipe)
      expect(page.headers.location).toContain(`${ADDRESS}${open.basePath}/signin?`)
    const csrf = await user.send(`${open.basePath}/csrf`, { headers })
    expect(csrf.setCookies[0]).toMatch(/^__Host-lib\.csrf-token=/)
    const careful = await open()
    const other = careful.user()
    await signInByJson(other)
    const hostile = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' }
    for (const path of [`${open.basePath}/session`, `${open.basePath}/signin`, '/me', '/guarded']) {
      const answer = await other.send(path, { headers: hostile })
      expect(answer.body + JSON.stringify(answer.headers)).not.toContain('evil.example')
    }
    expect(nameOf(await other.send('/me'))).toBe('User ada')
  })

  describe('an absolute request target never replaces the Host header:', () => {
    const trusting = { trustHost: true, trustedHosts: undefined }
    const forwarded = { 'X-Forwarded-Host': 'app.test', 'X-Forwarded-Proto': 'https' }
    const rows = [
      ['of any host', trusting, { Host: 'app.test' }],
      ['of a listed host', { trustedHosts: ['app.test'] }, { Host: 'app.test' }],
      ['of a private host', trusting, { Host: '10.0.0.5' }],
      ['of a proxy', trusting, { Host: 'internal:8080', ...forwarded }],
      [
        'of a listed proxy',
        { trustedHosts: ['app.test'] },
        { Host: 'internal:8080', ...forwarded },
      ],
      ['that is not trusted', {}, { Host: 'app.test' }],
    ] as const
    // On runtimes without `node:http`, the target of the request line is not known.
    test.each(rows.filter(([name]) => name !== 'of a private host' || !open.isRecipe))(
      '%s',
      async (_name, overrides, headers) => {
        const site = await open({ overrides })
        const lines = Object.entries({ ...headers, Connection: 'close' })
        const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
        const { basePath } = open
        const routes = ['providers', 'csrf', 'signin', 'session'].map(
          (each) => basePath + '/' + each,
        )
        for (const path of [...routes, '/me', '/guarded']) {
          const target = `http://evil.example${path}?a=1`
          const answer = await rawBytes(site.origin, [`GET ${target} HTTP/1.1\r\n${head}\r\n`])
          expect(answer).toMatch(/^HTTP/)
          if (exceptions.redirectsSlashes) continue
          expect(answer).not.toMatch(/^(?:location|set-cookie):.*evil\.example/im)
          // A server may name the target that it did not find.
          if (!answer.startsWith('HTTP/1.1 404')) expect(answer).not.toContain('evil.example')
        }
      },
    )
  })
}
