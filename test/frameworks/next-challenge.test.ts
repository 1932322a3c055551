/** A challenge of `protection.onAttempt` in a server action. */
import { expect, test } from 'vitest'
import { nextSite, redirectOf } from './next/next-site.ts'
import { login } from './site.ts'
import type { Attempt } from '../../src/core/config/protection-options.ts'
import { SignInError } from '../../src/errors.ts'

test('an action throws that a challenge is required, and passes the answer in its form', async () => {
  const onAttempt = ({ challenge }: Attempt) => (challenge === '4' ? 'allow' : 'challenge')
  const site = nextSite({ protection: { onAttempt } })
  const form = new FormData()
  for (const [name, value] of Object.entries(login)) form.set(name, value)
  const work = () => site.action(() => site.signIn('credentials', form))
  for (const answer of [null, '5']) {
    if (answer) form.set('challenge', answer)
    await expect(work()).rejects.toBeInstanceOf(SignInError)
    await expect(work()).rejects.toMatchObject({ type: 'ChallengeRequired', status: 403 })
  }
  form.set('challenge', '4')
  expect(await redirectOf(work())).toBe('https://app.test/')
})
