/** docs/guides/credentials.md */
import { openSite } from '../frameworks/next/next-site.ts'
import type { NextSite } from '../frameworks/next/next-site.ts'
import { setTimeout as wait } from 'node:timers/promises'
import type { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { startPostgres } from '../../tools/databases.mjs'
import type { LibResult } from '../../src/frameworks/next/index.ts'
import { mailServer } from '../mail-server.ts'
import type { MailServer } from '../mail-server.ts'
import { findPostgres } from '../services.ts'
import { thrownRedirect } from '../frameworks/next/next-redirect.ts'
import { openGuide, stubGuideEnvironment } from './guide.ts'

interface Users {
  readonly pool: Pool
  readonly users: { savePassword: (...values: string[]) => Promise<void> }
}

type Action = (form: FormData) => Promise<void>

const hasPostgres = (await findPostgres()) !== null

describe.skipIf(!hasPostgres)('the guide for passwords', () => {
  const guide = openGuide('credentials')
  const ends: (() => Promise<unknown>)[] = []
  let mail: MailServer
  let lib: LibResult
  let pool: Pool
  let users: Users['users']
  let actions: Readonly<Record<'requestLink' | 'setPassword' | 'changePassword', Action>>

  beforeAll(async () => {
    stubGuideEnvironment()
    const database = await startPostgres()
    ends.push(() => database.end())
    mail = await mailServer()
    ends.unshift(() => mail.stop())
    vi.stubEnv('DATABASE_URL', database.url)
    vi.stubEnv('EMAIL_SERVER', mail.url)
    vi.stubEnv('EMAIL_FROM', 'no-reply@app.test')
    ;({ pool, users } = await guide.load<Users>('users.ts'))
    ends.unshift(() => pool.end())
    for (const statement of guide.blocks('sql')) await pool.query(statement)
    lib = await guide.load<LibResult>('auth.ts')
    actions = await guide.load('actions.ts')
    await users.savePassword('ada@example.com', 'correct horse', 'Ada')
    await users.savePassword('bob@example.com', 'correct horse', 'Bob')
    await pool.query("UPDATE people SET locked = true WHERE email = 'bob@example.com'")
  })
  afterAll(async () => {
    for (const end of ends) await end()
    vi.unstubAllEnvs()
  })

  const run = (site: NextSite, action: Action, fields: Record<string, string>) => {
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.set(name, value)
    return site.action(() => action(form))
  }
  const sessionOf = (site: NextSite) => site.render(() => lib.auth())

  /** The token in the next mail to an address. */
  async function requestToken(email: string): Promise<string> {
    const before = mail.mails.length
    await run(openSite(lib), actions.requestLink, { email })
    expect(mail.mails).toHaveLength(before + 1)
    return /token=([\w-]+)/.exec(mail.mails.at(-1)?.text ?? '')?.[1] ?? ''
  }

  test.each([
    ['ada@example.com', 'correct horse', 'https://app.test/'],
    ['ADA@example.com', 'correct horse', 'https://app.test/'],
    ['ada@example.com', 'wrong', { type: 'CredentialsSignin', code: 'credentials' }],
    ['eve@example.com', 'correct horse', { type: 'CredentialsSignin', code: 'credentials' }],
    ['bob@example.com', 'wrong', { type: 'CredentialsSignin', code: 'credentials' }],
    ['bob@example.com', 'correct horse', { type: 'CredentialsSignin', code: 'locked' }],
  ])('%s with the password "%s": %j', async (email, password, result) => {
    const work = openSite(lib)
      .action(() => lib.signIn('credentials', { email, password, redirect: false }))
      .catch((error: unknown) => error)
    if (typeof result === 'string') expect(await work).toBe(result)
    else expect(await work).toMatchObject(result)
  })

  test('a new user signs up with the link of a mail, which is valid once', async () => {
    const token = await requestToken(' Grace@Example.com ')
    const site = openSite(lib)
    const fields = { token, name: 'Grace', password: 'a long new password' }
    expect(await thrownRedirect(run(site, actions.setPassword, fields))).toBe('https://app.test/')
    expect(await sessionOf(site)).toMatchObject({
      user: { name: 'Grace', email: 'grace@example.com' },
    })
    await expect(run(site, actions.setPassword, fields)).rejects.toThrow('not valid')
  })

  test('a short password uses up no link, and an old link is not valid', async () => {
    const token = await requestToken('hedy@example.com')
    const site = openSite(lib)
    const set = (password: string) => run(site, actions.setPassword, { token, password })
    await expect(set('short')).rejects.toThrow('12 characters')
    await pool.query("UPDATE password_links SET created_at = now() - interval '61 minutes'")
    await expect(set('a long new password')).rejects.toThrow('not valid')
    expect(await sessionOf(site)).toBeNull()
  })

  test('an address receives three links in 15 minutes, with the same response', async () => {
    const before = mail.mails.length
    for (let count = 0; count < 5; count++)
      await run(openSite(lib), actions.requestLink, { email: 'limited@example.com' })
    expect(mail.mails).toHaveLength(before + 3)
  })

  test('a change needs the current password, and ends the other sessions', async () => {
    const [here, there] = [openSite(lib), openSite(lib)]
    for (const site of [here, there])
      await site.action(() =>
        lib.signIn('credentials', {
          email: 'ada@example.com',
          password: 'correct horse',
          redirect: false,
        }),
      )
    await wait(5)
    const change = (current: string) =>
      run(here, actions.changePassword, { current, password: 'another long password' })
    await expect(change('wrong')).rejects.toMatchObject({ type: 'CredentialsSignin' })
    expect(await sessionOf(there)).not.toBeNull()
    expect(await thrownRedirect(change('correct horse'))).toBe('https://app.test/')
    expect(await sessionOf(here)).toMatchObject({ user: { name: 'Ada' } })
    expect(await sessionOf(there)).toBeNull()
  })
})
