/** docs/guides/help-users.md */
import { expect, test } from 'vitest'
import type { AuthConfig } from '../../src/index.ts'
import { ADA, enter, mailedSite } from '../core/password/password-site.ts'
import { nextSite } from '../frameworks/next/next-site.ts'
import type { CallbacksOptions } from '../../src/index.ts'
import { openGuide } from './guide.ts'

interface Guide {
  readonly callbacks: CallbacksOptions
  readonly staff: Set<string>
}

interface Help {
  readonly accounts: () => Promise<unknown>
  readonly resetSecondFactor: () => Promise<unknown>
  readonly endSessions: () => Promise<unknown>
  readonly sendPasswordLink: () => Promise<unknown>
  readonly unlink: (provider: string, providerAccountId: string) => Promise<unknown>
}

test('staff end the sessions of a user, and send a link to choose a password', async () => {
  const { help } = await openGuide('help-users').load<{
    help: (config: AuthConfig, userId: string, staffId: string) => Help
  }>('support.ts')
  const site = mailedSite('database', { config: { origin: 'https://app.test', secondStep: {} } })
  const id = await site.createUser()
  const tab = site.open()
  await enter(tab)
  expect(await tab.session()).not.toBeNull()
  const user = help(site.config, id, 'staff 7')
  expect(await user.accounts()).toEqual([])
  expect(await user.endSessions()).toBe(1)
  expect(await tab.session()).toBeNull()
  expect(await user.resetSecondFactor()).toBe(false)
  expect(await user.sendPasswordLink()).toBe(true)
  expect(site.mails).toMatchObject([{ kind: 'reset', to: ADA }])
  expect(await user.unlink('op', 'unknown')).toBeNull()
  expect(await help(site.config, 'unknown', 'staff 7').accounts()).toBeNull()
  expect(site.audited.at(-1)).toMatchObject({ actor: { kind: 'user', id: 'staff 7' } })
})

test('only staff see the site as a user, and stay the user of the session', async () => {
  const { callbacks, staff } = await openGuide('help-users').load<Guide>('view-as.ts')
  const site = nextSite({ callbacks })
  await site.signInGrace()
  const viewAs = (id: string) => site.action(() => site.update({ viewAs: id } as object))
  expect(await viewAs('ada')).toMatchObject({ userId: 'grace' })
  staff.add('grace')
  expect(await viewAs('ada')).toMatchObject({ userId: 'ada', viewAs: 'ada' })
  expect(await site.render(() => site.auth())).toMatchObject({
    user: { name: 'Grace Hopper' },
    userId: 'ada',
    viewAs: 'ada',
  })
  staff.delete('grace')
  expect(await site.render(() => site.auth())).toMatchObject({ userId: 'grace' })
  staff.add('grace')
  await viewAs('ada')
  expect(await viewAs('')).toMatchObject({ userId: 'grace', viewAs: '' })
})
