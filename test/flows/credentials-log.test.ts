import { afterEach, expect, test, vi } from 'vitest'
import { CredentialsSignin } from '../../src/errors.ts'
import { browser } from '../../src/testing/index.ts'
import { enter, passwordConfig } from '../config.ts'

afterEach(() => void vi.restoreAllMocks())

class SecondFactor extends CredentialsSignin {
  override code = 'second_factor\n[auth][error] forged'
}

test.each([
  ['second_factor', () => Promise.reject(new SecondFactor())],
  ['credentials', () => null],
])('a rejected sign-in logs the code %s in one line', async (code, authorize) => {
  const info = vi.spyOn(console, 'info').mockImplementation(() => undefined)
  const { config } = passwordConfig({ logger: undefined }, { authorize })
  await enter(browser(config))
  const lines = info.mock.calls.flat().join('\n').split('\n')
  expect(lines).toEqual([expect.stringContaining(`[code: ${code}`)])
  expect(lines[0]).toMatch(/^\[auth\]\[error\] CredentialsSignin: /)
})
