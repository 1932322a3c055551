import { isRecord } from '../is-record.ts'
import type { HttpPolicy } from '../flows/oauth/endpoint-url.ts'
import type { AccountSettings } from './account-options.ts'
import { FRESH_FOR } from './defaults.ts'
import { mismatch } from './describe-value.ts'
import type { EmailConfig } from './email.ts'
import type { ProviderConfig } from './provider.ts'
import type { AuthConfig } from './types.ts'

const SHORTEST = 60
const LONGEST = 24 * 60 * 60

export function* accountProblems({ account, adapter }: AuthConfig): Iterable<string> {
  if (account === undefined) return
  if (!isRecord(account)) {
    yield `${mismatch('account', 'an object', account)} Write account: {}.`
    return
  }
  const {
    freshFor = FRESH_FOR,
    beforeRemove,
    changeEmail = 'both',
    mergeUsers,
    send,
  }: Readonly<Record<string, unknown>> = account
  const isTime = typeof freshFor === 'number' && freshFor >= SHORTEST && freshFor <= LONGEST
  if (!isTime)
    yield mismatch(
      'account.freshFor',
      `a number of seconds from ${SHORTEST} to ${LONGEST}`,
      freshFor,
    )
  if (beforeRemove !== undefined && typeof beforeRemove !== 'function')
    yield `${mismatch('account.beforeRemove', 'a function', beforeRemove)} Write beforeRemove: async ({ user }) => deleteOrders(user.id).`
  if (mergeUsers !== undefined && typeof mergeUsers !== 'function')
    yield `${mismatch('account.mergeUsers', 'a function', mergeUsers)} Write mergeUsers: async ({ from, into }) => moveOrders(from.id, into.id).`
  if (changeEmail !== 'both' && changeEmail !== 'new')
    yield mismatch('account.changeEmail', '"both" or "new"', changeEmail)
  if (send !== undefined && typeof send !== 'function')
    yield `${mismatch('account.send', 'a function', send)} Write send: async ({ to, subject, text, html }) => sendMail({ to, subject, text, html }).`
  if (!adapter)
    yield 'account is set without adapter. Accounts are stored in a database: set adapter.'
}

export function accountSettings(
  { account, fetch }: AuthConfig,
  { providers, http }: { readonly providers: readonly ProviderConfig[]; readonly http: HttpPolicy },
): AccountSettings | undefined {
  if (!account) return undefined
  const { freshFor = FRESH_FOR, send } = account
  const provider = providers.find(
    (each): each is EmailConfig => each.type === 'email' && each.sendMail !== undefined,
  )
  const deliver: AccountSettings['deliver'] = send
    ? async (_origin, mail) => send(mail)
    : provider
      ? async (origin, mail) => {
          const { sendThroughProvider } = await import('./send-through-provider.ts')
          await sendThroughProvider({ provider, fetch, http, origin }, mail)
        }
      : null
  return { ...account, freshFor, deliver }
}
