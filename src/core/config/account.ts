import { isRecord } from '../is-record.ts'
import type { AccountOptions, AccountSettings } from './account-options.ts'
import { mismatch } from './describe-value.ts'
import type { AuthConfig } from './types.ts'

const FRESH_FOR = 15 * 60
const SHORTEST = 60
const LONGEST = 24 * 60 * 60

export function* accountProblems({ account, adapter }: AuthConfig): Iterable<string> {
  if (account === undefined) return
  if (!isRecord(account)) {
    yield `${mismatch('account', 'an object', account)} Write account: {}.`
    return
  }
  const { freshFor = FRESH_FOR, beforeRemove }: Readonly<Record<string, unknown>> = account
  const isTime = typeof freshFor === 'number' && freshFor >= SHORTEST && freshFor <= LONGEST
  if (!isTime)
    yield mismatch(
      'account.freshFor',
      `a number of seconds from ${SHORTEST} to ${LONGEST}`,
      freshFor,
    )
  if (beforeRemove !== undefined && typeof beforeRemove !== 'function')
    yield `${mismatch('account.beforeRemove', 'a function', beforeRemove)} Write beforeRemove: async ({ user }) => deleteOrders(user.id).`
  if (!adapter)
    yield 'account is set without adapter. Accounts are stored in a database: set adapter.'
}

export function accountSettings(account: AccountOptions | undefined): AccountSettings | undefined {
  return account && { ...account, freshFor: account.freshFor ?? FRESH_FOR }
}
