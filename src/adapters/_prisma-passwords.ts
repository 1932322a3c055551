/** The model of passwords in Prisma, which has no conditional upsert. */
import type { TableRows } from './_methods.ts'
import { isExpectedHash } from './_passwords.ts'
import type { PasswordChange, PasswordRows } from './_passwords.ts'
import type { StoredPassword } from '../core/database/adapter.ts'

/** A write that loses this often against others is an error. */
const MAX_ATTEMPTS = 5

type Key = Partial<Record<keyof StoredPassword, string>>

interface ModelRows extends Pick<TableRows<StoredPassword>, 'list' | 'insert'> {
  update(key: Key, changes: object): Promise<number>
  delete(key: Key): Promise<number>
}

export function prismaPasswords(rows: ModelRows): PasswordRows {
  /** `false` if another call has inserted a row. */
  async function insert(row: StoredPassword): Promise<boolean> {
    try {
      await rows.insert(row)
      return true
    } catch (error) {
      if ((await rows.list({ userId: row.userId })).length > 0) return false
      throw error
    }
  }

  /** Returns `false` if the row was deleted meanwhile, or does not have the hash any more. */
  async function change(key: Key, password: PasswordChange): Promise<boolean> {
    return (await (password ? rows.update(key, password) : rows.delete(key))) > 0
  }

  return {
    list: rows.list,
    async write(userId, password, expected) {
      for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
        const [stored] = await rows.list({ userId })
        if (!isExpectedHash(stored, expected)) return false
        if (!stored && !password) return true
        const isChanged = stored
          ? await change(
              typeof expected === 'string' ? { userId, hash: expected } : { userId },
              password,
            )
          : password && (await insert({ userId, ...password }))
        if (isChanged) return true
      }
      throw new Error('PrismaAdapter: too many concurrent calls change the same password.')
    },
  }
}
