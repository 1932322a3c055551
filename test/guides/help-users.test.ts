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
