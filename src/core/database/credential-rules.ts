/** The adapter methods of second factors and passwords. */
import { readFactor } from './read-factor.ts'
import { readPassword } from './read-password.ts'
import { readRows } from './read-rows.ts'
import { requireBoolean } from './reject-call.ts'
import type { FactorStore, PasswordStore } from './adapter.ts'
import type { Rules } from './rules.ts'

export const CREDENTIAL_RULES: {
  readonly [M in keyof FactorStore | keyof PasswordStore]: Rules<M>
} = {
  listFactors: {
    read: (rows, method, args) =>
      readRows(rows, method, args).flatMap((row) => readFactor(row, method) ?? []),
  },
  createFactor: { read: () => null },
  useFactor: { read: requireBoolean, unstorable: false, turn: ([{ id }]) => `factor ${id}` },
  deleteFactor: {
    read: readFactor,
    matches: (factor, [id]) => factor.id === id,
    turn: ([id]) => `factor ${id}`,
  },
  getPassword: { read: readPassword, matches: (password, [userId]) => password.userId === userId },
  setPassword: { read: requireBoolean },
}
