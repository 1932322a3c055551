/** Limits on guessing, at the routes and in code of the application. */
import { expect, test } from 'vitest'
import type { Answer, RawClient } from '../raw-client.ts'
import { nameOf } from './site.ts'
import type { Open } from './site.ts'

const LIMITED = 'error=TooManyAttempts'

/** Other sites of this process count in the same memory. */
const unique = (): number => Math.floor(Math.random() * 0xffff)

async function enter(
  user: RawClient,
  fields: { username: string; password: string },
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const form = { ...fields, csrfToken: await user.csrfToken() }
  return user.send(`${user.basePath}/callback/credentials`, { form, headers })
}

export function limitRows(open: Open): void {
  test('limits guesses of a password for one account', async () => {
    const site = await open()
    const guess = { username: `routed ${unique()}`, password: 'wrong' }
    for (let attempt = 0; attempt < 10; attempt++) {
      const { headers } = await enter(site.user(), guess)
      expect(headers.location).toContain('error=CredentialsSignin')
    }
    const user = site.user()
    const { headers } = await enter(user, { ...guess, password: 'right' })
    expect(headers.location).toContain(LIMITED)
    expect((await user.send('/me')).body).toBe('null')
  })

  test('limits guesses by the client address of the configured header alone', async () => {
    const limits = { address: { burst: 3, per: 900 } }
    const protection = { clientAddress: { header: 'x-client-address' }, limits }
    const site = await open({ overrides: { protection } })
    const attacker = `2001:db8:${unique().toString(16)}:${unique().toString(16)}::`
    const guess = (at: number) => {
      const headers = {
        'x-client-address': `${attacker}${at}`,
        'x-forwarded-for': `192.0.2.${at}`,
        'x-real-ip': `192.0.2.${at}`,
        forwarded: `for=192.0.2.${at}`,
      }
      return enter(site.user(), { username: `account ${at}`, password: 'wrong' }, headers)
    }
    for (let at = 1; at <= 3; at++)
      expect((await guess(at)).headers.location).toContain('error=CredentialsSignin')
    expect((await guess(4)).headers.location).toContain(LIMITED)
    const user = site.user()
    const elsewhere = { 'x-client-address': '198.51.100.1', 'x-forwarded-for': '192.0.2.1' }
    await enter(user, { username: 'ada', password: 'right' }, elsewhere)
    expect(nameOf(await user.send('/me'))).toBe('User ada')
  })

  if (open.isRecipe) return

  test('limits guesses at the routes and in code of the application together', async () => {
    const site = await open()
    const guess = { username: `guessed ${unique()}`, password: 'wrong' }
    const right = { ...guess, password: 'right' }
    for (let attempt = 0; attempt < 5; attempt++) {
      await enter(site.user(), guess)
      expect((await site.user().send('/login', { form: guess })).status).toBe(401)
    }
    const user = site.user()
    expect((await user.send('/login', { form: right })).status).not.toBe(303)
    expect((await enter(user, right)).headers.location).toContain(LIMITED)
    expect((await user.send('/me')).body).toBe('null')
  })

  test('reads the client address in code of the application, too', async () => {
    const limits = { address: { burst: 1, per: 900 } }
    const protection = { clientAddress: { header: 'x-client-address' }, limits }
    const site = await open({ overrides: { protection } })
    const login = (at: string, password: string) => {
      const form = { username: 'ada', password }
      return site.user().send('/login', { form, headers: { 'x-client-address': at } })
    }
    const attacker = `2001:db8:${unique().toString(16)}:${unique().toString(16)}::`
    expect((await login(`${attacker}1`, 'wrong')).status).toBe(401)
    expect((await login(`${attacker}2`, 'right')).status).not.toBe(303)
    expect((await login('198.51.100.2', 'right')).status).toBe(303)
  })
}
