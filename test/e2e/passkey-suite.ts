/** Passkeys from the first registration to a lost device, in Chromium with its virtual authenticator. */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import KyselyAdapter from '../../src/adapters/kysely.ts'
import { withDatabase } from '../../src/cli/database/connect.ts'
import Credentials from '../../src/providers/credentials.ts'
import Passkey from '../../src/providers/passkey.ts'
import { SECRET, silentLog } from '../config.ts'
import type { Log } from '../config.ts'
import { run } from '../cli/database/run-migrate.ts'
import { findBrowser } from '../services.ts'
import { startPasskeySite } from './passkey-site.ts'
import type { PasskeySite } from './passkey-site.ts'
import {
  createPasskey,
  newAddress,
  register,
  signInWithButton,
  signInWithPassword,
  signOut,
  visit,
} from './passkey-visitor.ts'
import type { Visitor } from './passkey-visitor.ts'
import { button, seeHeading } from './user-actions.ts'

type Adapter = ReturnType<typeof KyselyAdapter>

function configOf(
  adapter: Adapter,
  strategy: 'jwt' | 'database',
  log: ReturnType<typeof silentLog>,
) {
  const password = Credentials({
    credentials: { address: { label: 'Address' }, password: { type: 'password' } },
    authorize: ({ address }) => adapter.getUserByEmail(String(address)),
  })
  return {
    adapter,
    basePath: '/auth',
    providers: [Passkey(), password],
    session: { strategy },
    secret: SECRET,
    trustHost: true,
    experimental: { enableWebAuthn: true },
    logger: log.logger,
  }
}

const alert = (page: Page) => page.getByRole('alert').innerText()
export interface Suite {
  readonly site: () => PasskeySite
  readonly adapter: () => Adapter
  readonly log: () => Log
}

/** A user who signs in with a password. */
async function userWithPassword({ site, adapter }: Suite): Promise<Visitor & { email: string }> {
  const email = newAddress()
  await adapter().createUser({ id: randomUUID(), email, emailVerified: null })
  const visitor = await visit(site())
  await signInWithPassword(visitor, email)
  await visitor.page.goto(`${site().url()}/auth/signin`)
  return { ...visitor, email }
}

async function passkeysOf({ adapter }: Suite, email: string) {
  const user = await adapter().getUserByEmail(email)
  return adapter().listAuthenticatorsByUserId(user?.id ?? '')
}

function registrationTests(suite: Suite): void {
  const { site } = suite

  test('registers a new user, who signs in again with the button', async () => {
    const visitor = await register(site())
    await signOut(visitor, site())
    await signInWithButton(visitor)
    await seeHeading(visitor.page, visitor.email)
  })

  test('signs in by autofill', async () => {
    const visitor = await register(site(), { hasAutofill: true })
    await signOut(visitor, site())
    await seeHeading(visitor.page, visitor.email)
  })

  test('adds a passkey to the signed-in user', async () => {
    const visitor = await userWithPassword(suite)
    await createPasskey(visitor, visitor.email)
    await seeHeading(visitor.page, visitor.email)
    expect(await passkeysOf(suite, visitor.email)).toHaveLength(1)
    await signOut(visitor, site())
    await signInWithButton(visitor)
    await seeHeading(visitor.page, visitor.email)
  })

  test('refuses a new passkey for the address of another user', async () => {
    const { email } = await register(site())
    const attacker = await visit(site())
    await createPasskey(attacker, email)
    await expect.poll(() => alert(attacker.page)).toMatch(/^To confirm your identity, sign in/)
    expect(await passkeysOf(suite, email)).toHaveLength(1)
    await attacker.page.goto(site().url())
    await seeHeading(attacker.page, 'Signed out')
  })

  test('writes nothing if the user verification fails, after which the same action works', async () => {
    const visitor = await visit(site())
    const email = newAddress()
    await visitor.authenticator.verifyUser(false)
    await createPasskey(visitor, email)
    await expect.poll(() => alert(visitor.page)).toMatch(/^No passkey was used/)
    expect(await suite.adapter().getUserByEmail(email)).toBeNull()
    await visitor.authenticator.verifyUser(true)
    await button(visitor.page, 'Create a passkey').click()
    await seeHeading(visitor.page, email)
  })
}

function deviceTests(suite: Suite): void {
  const { site } = suite

  test('signs in with a second authenticator of the same user', async () => {
    const first = await userWithPassword(suite)
    await createPasskey(first, first.email)
    await seeHeading(first.page, first.email)
    const second = await visit(site())
    await signInWithPassword(second, first.email)
    await second.page.goto(`${site().url()}/auth/signin`)
    await createPasskey(second, first.email)
    await seeHeading(second.page, first.email)
    expect(await passkeysOf(suite, first.email)).toHaveLength(2)
    for (const device of [first, second]) {
      await signOut(device, site())
      await signInWithButton(device)
      await seeHeading(device.page, first.email)
    }
  })

  test('reports an authenticator that has a passkey of the user already', async () => {
    const visitor = await register(site())
    await visitor.page.goto(`${site().url()}/auth/signin`)
    await createPasskey(visitor, visitor.email)
    await expect.poll(() => alert(visitor.page)).toMatch(/^There is already a passkey/)
  })

  test('signs in on a second device that has received the passkey by synchronization', async () => {
    const { email, authenticator } = await register(site())
    const [credential] = await authenticator.credentials()
    if (!credential) throw new Error('The authenticator has no passkey.')
    const other = await visit(site())
    await other.authenticator.add(credential)
    await signInWithButton(other)
    await seeHeading(other.page, email)
  })

  test('refuses a passkey that was removed', async () => {
    const visitor = await register(site())
    const [passkey] = await passkeysOf(suite, visitor.email)
    await suite.adapter().deleteAuthenticator(passkey?.credentialID ?? '')
    await signOut(visitor, site())
    await signInWithButton(visitor)
    await visitor.page.getByText('The passkey was not accepted.').waitFor()
    await visitor.page.goto(site().url())
    await seeHeading(visitor.page, 'Signed out')
  })

  test('refuses a copy of the passkey whose counter is behind', async () => {
    const visitor = await register(site())
    const [credential] = await visitor.authenticator.credentials()
    if (!credential) throw new Error('The authenticator has no passkey.')
    await signOut(visitor, site())
    await signInWithButton(visitor)
    await seeHeading(visitor.page, visitor.email)

    const copy = await visit(site())
    await copy.authenticator.add({ ...credential, signCount: 0 })
    await signInWithButton(copy)
    await copy.page.getByText('The passkey was not accepted.').waitFor()
    expect(JSON.stringify(suite.log())).toContain('passkey.counter')
  })

  test('signs in with a challenge that is older than that of another tab', async () => {
    const visitor = await register(site())
    await signOut(visitor, site())
    const { page } = visitor
    const second = await page.context().newPage()
    await second.goto(`${site().url()}/auth/signin`)
    await page.route('**/webauthn-options/**', async (route) => {
      const response = await route.fetch()
      await second.evaluate(() => fetch('webauthn-options/passkey?action=authenticate'))
      await route.fulfill({ response })
    })
    await signInWithButton(visitor)
    await seeHeading(page, visitor.email)
    await second.goto(site().url())
    await seeHeading(second, visitor.email)
  })
}

const launchOptions = await findBrowser()

/** The tests with each session strategy, over the database with this URL. */
export function describePasskeys(
  name: string,
  urlOf: () => string,
  strategies: readonly ('jwt' | 'database')[] = ['jwt', 'database'],
): void {
  describe.skipIf(!launchOptions).each(strategies)(
    `passkeys in ${name}, with %s sessions`,
    (strategy) => {
      let site: PasskeySite
      let adapter: Adapter
      let log: ReturnType<typeof silentLog>
      let close = () => {}
      beforeAll(async () => {
        await run({ url: urlOf() })
        const db = await new Promise<Kysely<object>>((resolve, reject) => {
          const untilClosed = new Promise<void>((done) => {
            close = done
          })
          withDatabase(urlOf(), ({ db: opened }) => {
            resolve(opened)
            return untilClosed
          }).catch(reject)
        })
        adapter = KyselyAdapter(db)
        log = silentLog()
        const config = configOf(adapter, strategy, log)
        site = await startPasskeySite(() => config, launchOptions ?? {})
      })
      afterAll(async () => {
        await site?.stop()
        close()
      })
      const suite = { site: () => site, adapter: () => adapter, log: () => log.log }
      registrationTests(suite)
      deviceTests(suite)
    },
  )
}

/** A folder for one SQLite file. */
export function sqliteUrl(): string {
  const folder = mkdtempSync(join(tmpdir(), 'lib-auth-passkeys-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  return `file:${join(folder, 'test.db')}`
}
