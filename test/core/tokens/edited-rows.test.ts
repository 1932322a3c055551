/** Rows that somebody has edited: no token of another place opens, and nothing fails but the call for the token. */
import { afterEach, expect, test, vi } from 'vitest'
import { AuthError } from '../../../src/core/errors/base.ts'
import type { AdapterAccount, StoredRecord } from '../../../src/adapters/index.ts'
import { dump, forEachPlace } from './places.ts'
import type { Place } from './places.ts'
import { pass, TOKEN, unluckySite } from './site.ts'
import type { UnluckySite } from './site.ts'

afterEach(() => vi.useRealTimers())

type Columns = Partial<AdapterAccount>

/** A function of what is stored in the row, and what in that of another user. */
type Edit = (row: Columns, other: Columns) => Readonly<Record<string, unknown>>

const cut = (value: unknown, length: number) => String(value).slice(0, length)

/** Edits after which no token is left. */
const UNREADABLE: Readonly<Record<string, Edit>> = {
  truncated: ({ access_token, refresh_token }) => ({
    access_token: cut(access_token, 100),
    refresh_token: cut(refresh_token, 100),
  }),
  'without the last character': ({ access_token, refresh_token }) => ({
    access_token: cut(access_token, -1),
    refresh_token: cut(refresh_token, -1),
  }),
  'with swapped columns': ({ access_token, refresh_token }) => ({
    access_token: refresh_token,
    refresh_token: access_token,
  }),
  'with the ID token in each': ({ id_token }) => ({
    access_token: id_token,
    refresh_token: id_token,
  }),
  'copied from another user': (_row, { access_token, refresh_token }) => ({
    access_token,
    refresh_token,
  }),
  'with the prefix only': () => ({ access_token: 'lib1.', refresh_token: 'lib1.' }),
  garbage: () => ({ access_token: 'lib1.%00..', refresh_token: 'lib1.a.b.c.d.e' }),
  'of another release': ({ access_token, refresh_token }) => ({
    access_token: String(access_token).replace('lib1.', 'lib1.lib1.'),
    refresh_token: String(refresh_token).replace('lib1.', 'lib1.lib1.'),
  }),
  empty: () => ({ access_token: '', refresh_token: '' }),
  null: () => ({ access_token: null, refresh_token: null }),
}

/** Values that only an adapter which does not convert them returns. */
const UNTYPED: Readonly<Record<string, Edit>> = {
  'a Buffer': () => ({ access_token: Buffer.from('lib1.a'), refresh_token: Buffer.from('b') }),
  numbers: () => ({ access_token: 1, refresh_token: 2 }),
  objects: () => ({ access_token: {}, refresh_token: [] }),
}

async function otherUser(site: UnluckySite): Promise<Columns> {
  await site.tab.post('signout')
  await site.tab.signIn('op', { sub: 'bob', name: 'Bob', email: 'bob@example.com' })
  const row = { ...(await site.adapter.getAccount?.('bob', 'op')) }
  await site.tab.post('signout')
  await site.tab.signIn('op')
  return row
}

function testColumns(place: Place): void {
  test.each(Object.entries(UNREADABLE))('columns that are %s', async (_name, edit) => {
    const site = await unluckySite(place)
    const other = await otherUser(site)
    const row = { ...(await site.adapter.getAccount?.('ada', 'op')) }
    const key = { provider: 'op', providerAccountId: 'ada' }
    await site.adapter.updateAccount?.({ ...key, ...edit(row, other) })
    const before = await dump(site.adapter)
    const failure: unknown = await site.read().catch((error: unknown) => error)
    expect(failure).toMatchObject({ type: 'AccessTokenError', code: 'reconnect' })
    pass(600)
    await expect(site.read()).rejects.toMatchObject({ code: 'reconnect' })
    expect(site.sent).toEqual([])
    expect(await dump(site.adapter)).toBe(before)
    const isEncrypted = !/null|empty/.test(_name)
    expect(site.log.lines.some(([, code]) => code === 'token-not-opened')).toBe(isEncrypted)
    expect(await site.tab.session()).not.toBeNull()
    // Signing in at the provider repairs the row.
    await site.tab.signIn('op')
    expect((await site.read()).accessToken).toMatch(TOKEN)
  })

  test.each(Object.entries(UNTYPED))('columns with %s', async (_name, edit) => {
    const site = await unluckySite(place)
    site.faults.listAccounts = async (run) => {
      const rows = await run()
      if (!Array.isArray(rows)) throw new Error('No list.')
      return rows.map((row: Columns) => Object.assign({}, row, edit(row, row)))
    }
    const failure: unknown = await site.read().catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(AuthError)
    expect(failure).toMatchObject({ code: 'reconnect' })
    expect(site.sent).toEqual([])
  })

  test('a plain value that somebody wrote is a token, and is encrypted when it is next written', async () => {
    const site = await unluckySite(place)
    const key = { provider: 'op', providerAccountId: 'ada' }
    await site.adapter.updateAccount?.({ ...key, access_token: 'plain' })
    expect((await site.read()).accessToken).toBe('plain')
    await site.read({ refresh: 'now' })
    const row = await site.adapter.getAccount?.('ada', 'op')
    expect(row?.access_token).toMatch(/^lib1\./)
  })

  test.each([-1, 0, 2 ** 31 - 1])('an expires_at of %d', async (expires_at) => {
    const site = await unluckySite(place)
    await site.adapter.updateAccount?.({ provider: 'op', providerAccountId: 'ada', expires_at })
    const { expiresAt } = await site.read()
    if (expiresAt) expect(expiresAt.getTime()).toBeGreaterThan(Date.now())
  })

  test.each([1e300, NaN, Infinity, 'soon', '1e400', {}, null, 1n])(
    'an expires_at that an adapter returns as %s',
    async (expires_at) => {
      const site = await unluckySite(place)
      site.faults.listAccounts = async (run) => {
        const rows = await run()
        if (!Array.isArray(rows)) throw new Error('No list.')
        return rows.map((row: Columns) => Object.assign({}, row, { expires_at }))
      }
      const { expiresAt } = await site.read()
      if (expiresAt) expect(expiresAt.getTime()).toBeGreaterThan(Date.now())
    },
  )
}

function testRecords(place: Place): void {
  test.each<[string, (value: string, other: string) => string]>([
    ['truncated', (value) => value.slice(0, 100)],
    ['empty', () => ''],
    ['of another session', (_value, other) => other],
    ['garbage', () => 'a.b.c.d.e'],
    ['plain', () => JSON.stringify({ provider: 'op', access_token: 'plain' })],
  ])('a record that is %s does not open', async (_name, edit) => {
    const site = await unluckySite(place)
    const [written] = site.calls.findLast(({ method }) => method === 'writeRecord')?.args ?? []
    const other = (written as StoredRecord).value
    // A session of its own.
    await site.tab.signIn('op')
    site.faults.readRecords = async (run) => {
      const records = (await run()) as readonly StoredRecord[]
      return records.map((record) =>
        Object.assign({}, record, { value: edit(record.value, other) }),
      )
    }
    await expect(site.read()).rejects.toMatchObject({ code: 'not_connected' })
    expect(site.log.lines.some(([, code]) => code === 'token-not-opened')).toBe(true)
    expect(site.sent).toEqual([])
  })
}

await forEachPlace(
  (place) => (place.where === 'account' ? testColumns(place) : testRecords(place)),
  ['account', 'store'],
)
