/** With the option `account`, a passkey is added and removed only within a recent sign-in. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { removePasskey } from '../../../src/passkeys.ts'
import { governSessions } from '../../../src/sessions.ts'
import { browser } from '../../../src/testing/index.ts'
import type { AuthConfig } from '../../../src/index.ts'
import { pass, stopClock } from '../../sessions.ts'
import { createAuthenticator } from '../flows/webauthn/authenticator.ts'
import {
  ADA,
  addPasskey,
  EVE,
  open,
  op,
  passkeyCeremony,
  STRATEGIES,
} from '../assurance/step-up-site.ts'
import type { Site } from '../assurance/step-up-site.ts'
import { requestOf } from './account-site.ts'

beforeEach(stopClock)
afterEach(() => void vi.useRealTimers())
afterEach(() => op.reset())

const OLD = 15 * 60 + 61

async function passkeysOf({ adapter }: Site): Promise<string[]> {
  const user = await adapter.getUserByEmail(ADA.email)
  const passkeys = await adapter.listAuthenticatorsByUserId(user?.id ?? '')
  return passkeys.map(({ credentialID }) => credentialID)
}

async function signedIn(strategy: (typeof STRATEGIES)[number], account?: AuthConfig['account']) {
  const revocation = strategy === 'jwt' ? { revocation: {} } : {}
  const site = open(strategy, { account, session: { strategy, assurance: 'kept', ...revocation } })
  await site.tab.signIn('op', ADA)
  return site
}

describe.each(STRATEGIES)('with the strategy %s', (strategy) => {
  test('a recent sign-in adds and removes one', async () => {
    const site = await signedIn(strategy, {})
    await addPasskey(site)
    const [id = ''] = await passkeysOf(site)
    const { value } = await removePasskey(requestOf(site.tab), site.config, id)
    expect(value).toMatchObject({ credentialID: id })
    expect(await passkeysOf(site)).toEqual([])
  })

  test('an old one does not begin a registration', async () => {
    const site = await signedIn(strategy, {})
    await pass(OLD)
    for (const query of ['?action=register', '']) {
      const response = await site.tab.request(`webauthn-options/passkey${query}`, {
        headers: { accept: 'application/json' },
      })
      expect(response.status).toBe(401)
      expect(await response.text()).toContain('StepUpRequired')
    }
    const authentication = await site.tab.request('webauthn-options/passkey?action=authenticate')
    expect(authentication.status).toBe(200)
  })

  test('one that has become old during the registration does not complete it', async () => {
    const site = await signedIn(strategy, {})
    await pass(15 * 60 - 60)
    const options = await passkeyCeremony(site, 'register')
    await pass(180)
    const data = JSON.stringify(createAuthenticator().create(options))
    const response = await site.tab.post('callback/passkey', { action: 'register', data })
    expect(response.headers.get('location')).toContain('/auth/step-up?stepUp=')
    expect(await passkeysOf(site)).toEqual([])
  })

  test('an old one does not remove one', async () => {
    const site = await signedIn(strategy, {})
    await addPasskey(site)
    await pass(OLD)
    const [id = ''] = await passkeysOf(site)
    await expect(removePasskey(requestOf(site.tab), site.config, id)).rejects.toMatchObject({
      type: 'StepUpRequired',
      url: expect.stringContaining('/auth/step-up?stepUp='),
    })
    expect(await passkeysOf(site)).toEqual([id])
  })

  test('a recent session of another user in the request does not stand in for an old one', async () => {
    const site = await signedIn(strategy, {})
    await addPasskey(site)
    const [id = ''] = await passkeysOf(site)
    await pass(OLD)
    const eve = browser(site.config, { issuer: op })
    await eve.signIn('op', EVE)
    const { listFactors } = site.adapter
    // Ends between the two reads of the session.
    vi.spyOn(site.adapter, 'listFactors').mockImplementation(async (userId) => {
      const user = await site.adapter.getUserByEmail(ADA.email)
      await governSessions(site.config).revokeAll(user?.id ?? '')
      return listFactors(userId)
    })
    const cookie = [site.tab, eve].map((tab) => requestOf(tab).headers.get('cookie')).join('; ')
    const request = requestOf(site.tab, { cookie })
    await expect(removePasskey(request, site.config, id)).rejects.toMatchObject({
      type: 'SessionRequired',
    })
    expect(await passkeysOf(site)).toEqual([id])
  })

  test('without the option, an old one does both', async () => {
    const site = await signedIn(strategy)
    await pass(OLD)
    await addPasskey(site)
    const [id = ''] = await passkeysOf(site)
    expect((await removePasskey(requestOf(site.tab), site.config, id)).value).not.toBeNull()
  })
})
