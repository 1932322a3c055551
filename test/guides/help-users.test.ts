/** docs/guides/help-users.md */
import { expect, test } from 'vitest'
import { nextSite } from '../frameworks/next/next-site.ts'
import type { CallbacksOptions } from '../../src/index.ts'
import { openGuide } from './guide.ts'

interface Guide {
  readonly callbacks: CallbacksOptions
  readonly staff: Set<string>
}

test('only staff see the site as a user, and stay the user of the session', async () => {
  const { callbacks, staff } = await openGuide('help-users').load<Guide>('view-as.ts')
  const site = nextSite({ callbacks })
  await site.signInGrace()
  const viewAs = (id: string | null) => site.action(() => site.update({ viewAs: id }))
  expect(await viewAs('ada')).toMatchObject({ userId: 'grace' })
  staff.add('grace')
  expect(await viewAs('ada')).toMatchObject({ userId: 'ada', staffId: 'grace' })
  expect(await site.render(() => site.auth())).toMatchObject({
    user: { name: 'Grace Hopper' },
    userId: 'ada',
    staffId: 'grace',
  })
  staff.delete('grace')
  expect(await site.render(() => site.auth())).toMatchObject({ userId: 'grace' })
  staff.add('grace')
  await viewAs('ada')
  const session = await viewAs(null)
  expect(session).toMatchObject({ userId: 'grace' })
  expect(session).not.toHaveProperty('staffId')
})
