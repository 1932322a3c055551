/** A migrated session that `next-auth` wrote in many chunks. */
import { describe, expect, test } from 'vitest'
import { getToken } from '../../../src/jwt.ts'
import { passwordConfig } from '../../config.ts'
import { OLD_SECURE, oldCookie, outcomeOf } from './next-auth-site.ts'

const ADA = { sub: '1', name: 'Ada Lovelace', email: 'ada@example.com' }

describe('a migrated session', () => {
  test.each([5, 6, 7])('of %s chunks is read, and no chunk is deleted', async (count) => {
    const { config } = passwordConfig({ migrateSessions: true })
    const notes = 'n'.repeat((3936 * (count - 0.5) * 3) / 4)
    const [name, token = ''] = (await oldCookie({ ...ADA, notes })).split('=')
    const chunks = token.match(/.{1,3936}/g) ?? []
    expect(chunks).toHaveLength(count)
    const cookie = chunks.map((chunk, index) => `${name}.${index}=${chunk}`).join('; ')
    expect(await outcomeOf(cookie, config)).toEqual(['Ada Lovelace', []])
    const req = { headers: { cookie } }
    expect(await getToken({ req, config })).toMatchObject({ name: 'Ada Lovelace' })
  })

  test('is not partially deleted when the Cookie header is too long', async () => {
    const { config } = passwordConfig({ migrateSessions: true })
    const chunk = (index: number) => `${OLD_SECURE}.${index}=${'x'.repeat(3936)}`
    const cookie = Array.from({ length: 10 }, (_, index) => chunk(index)).join('; ')
    const [name, written] = await outcomeOf(cookie, config)
    expect(name).toBeNull()
    expect(written).toEqual([])
  })
})
