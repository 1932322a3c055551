/** A site whose users are signed in at one provider, for several processes. */
import { getAccessToken } from 'lib-auth'
import { browser } from 'lib-auth/testing'
import { openAdapter, providerOf } from '../process-site.mjs'

/**
 * @param {{ database: string, issuer: string, where: string }} options
 * @returns {{
 *   adapter: import('lib-auth').Adapter | undefined,
 *   signIn: (op: import('lib-auth/testing').Issuer) => Promise<string>,
 *   read: (cookie: string) => Promise<import('lib-auth').AccessToken & { cookies: readonly string[] }>,
 * }}
 */
export function createTokenSite({ database, issuer, where }) {
  const adapter = database === '' ? undefined : openAdapter(database)
  const config = {
    ...(adapter && { adapter }),
    secret: 'a secret for tests, with enough characters',
    basePath: '/auth',
    trustHost: true,
    session: { strategy: adapter ? 'database' : 'jwt' },
    tokens: { where, refreshBefore: 60 },
    logger: { error: () => undefined, warn: () => undefined },
    // So that the provider knows which process has sent a request.
    fetch: (input, init) => {
      const headers = new Headers(init?.headers)
      headers.set('x-process', `${process.pid}`)
      return fetch(input, { ...init, headers })
    },
    providers: [providerOf(issuer)],
  }
  const read = async (cookie) => {
    const request = new Request('https://app.test/', { headers: { cookie, host: 'app.test' } })
    const { value, headers } = await getAccessToken(request, config, 'op')
    // Not the deleted cookie that shows whether cookies can be set.
    const cookies = headers.getSetCookie().filter((each) => !each.includes('.probe='))
    return { ...value, cookies }
  }
  /** Signs the default user in; returns the Cookie header. */
  const signIn = async (op) => {
    const tab = browser({ ...config, fetch: op.fetch }, { issuer: op })
    await tab.signIn('op')
    const url = new URL('https://app.test/')
    return tab.cookies.header({ url, method: 'GET', initiator: 'same-site' }) ?? ''
  }
  return { adapter, signIn, read }
}
