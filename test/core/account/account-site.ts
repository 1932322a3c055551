/** A site on which users manage their account, with two OpenID providers. */
import { linkAccount, listAccounts, removeUser, unlinkAccount } from '../../../src/account.ts'
import type { LinkedAccountKey, UnlinkAccountOptions } from '../../../src/account.ts'
import type { AccountResult } from '../../../src/account.ts'
import type { AuditEvent, AuthConfig } from '../../../src/index.ts'
import { issuer } from '../../../src/testing/index.ts'
import type { Browser } from '../../../src/testing/index.ts'
import { signedIn } from '../../database.ts'
import type { DatabaseSite, DatabaseSiteOptions } from '../../database.ts'
import { userIdOf } from '../../passkeys.ts'

export const op = await issuer({ algorithm: 'ES256' })

const PAGE = new URL('https://app.test/account')

export interface AccountSite extends DatabaseSite {
  readonly userId: string
  readonly audited: AuditEvent[]
  readonly events: [name: string, message: unknown][]
  /** Revoked tokens. */
  readonly revoked: string[]
}

/** A request of a page of the site. */
export function requestOf(tab: Browser, headers: Record<string, string> = {}): Request {
  const cookie = tab.cookies.header({ url: PAGE, method: 'POST', initiator: 'same-site' })
  const own = { origin: PAGE.origin, 'sec-fetch-site': 'same-origin', referer: PAGE.href }
  return new Request(PAGE, { method: 'POST', headers: { cookie, ...own, ...headers } })
}

/** Sets the cookies of a result, and returns its value. */
export async function valueOf<T>(tab: Browser, result: Promise<AccountResult<T>>): Promise<T> {
  const { value, headers } = await result
  for (const each of headers.getSetCookie()) tab.cookies.accept(each, PAGE)
  return value
}

/** Ada has signed in with an account of the provider `op`, which issues tokens. */
export async function accountSite({
  config,
  ...options
}: DatabaseSiteOptions = {}): Promise<AccountSite> {
  op.reset()
  op.misbehaviour.discovery = (metadata) => ({
    ...metadata,
    revocation_endpoint: `${op.url}/revoke`,
  })
  const audited: AuditEvent[] = []
  const events: AccountSite['events'] = []
  const revoked: string[] = []
  const fetch: AuthConfig['fetch'] = async (input, init) => {
    const request = new Request(input, init)
    if (new URL(request.url).pathname !== '/revoke') return op.fetch(request)
    revoked.push(new URLSearchParams(await request.text()).get('token') ?? '')
    return new Response(null, { status: 200 })
  }
  const site = await signedIn(op, {
    ...options,
    config: {
      account: {},
      fetch,
      audit: { write: (event) => void audited.push(event) },
      events: {
        unlinkAccount: (message) => void events.push(['unlinkAccount', message]),
        deleteUser: (message) => void events.push(['deleteUser', message]),
      },
      ...config,
    },
  })
  audited.length = 0
  return { ...site, userId: await userIdOf(site.stored), audited, events, revoked }
}

/** What the user who is signed in can do. */
export function actions({ config, tab }: Pick<AccountSite, 'config' | 'tab'>) {
  /** Starts to link an account; returns the URL at the provider. */
  const start = (provider: string) =>
    valueOf(tab, linkAccount(requestOf(tab), config, provider, { redirectTo: '/account' }))
  return {
    list: () => valueOf(tab, listAccounts(requestOf(tab), config)),
    unlink: (key: LinkedAccountKey, options?: UnlinkAccountOptions) =>
      valueOf(tab, unlinkAccount(requestOf(tab), config, key, options)),
    remove: () => valueOf(tab, removeUser(requestOf(tab), config)),
    start,
    /** Links the account of this person; returns where the user lands. */
    link: async (provider: string, person = { sub: 'second' }) => {
      const { url } = await op.authorize(await start(provider), person)
      const response = await tab.request(url, { initiator: 'cross-site' })
      return response.headers.get('location')
    },
  }
}
