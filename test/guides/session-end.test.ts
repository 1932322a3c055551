// @vitest-environment jsdom
/** The warning of docs/guides/remember-me.md before a session ends. */
import { act, cleanup, render, screen } from '@testing-library/react'
import { SessionProvider } from 'lib-auth/react'
import { createElement } from 'react'
import type { ComponentType } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { openGuide } from './guide.ts'

afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const BUTTON = { name: 'Stay signed in' }

test('the user is warned two minutes before, and stays signed in', async () => {
  const { SessionEnd } = await openGuide('remember-me').load<{ SessionEnd: ComponentType }>(
    'app/session-end.tsx',
  )
  vi.useFakeTimers()
  const sessionFor = (minutes: number) => ({
    user: { name: 'Ada' },
    expires: new Date(Date.now() + minutes * 60_000).toISOString(),
  })
  vi.stubGlobal('fetch', async () => Response.json(sessionFor(10)))
  const children = createElement(SessionEnd)
  render(createElement(SessionProvider, { session: sessionFor(10), children }))
  await act(() => vi.advanceTimersByTimeAsync(7 * 60_000))
  expect(screen.queryByRole('button', BUTTON)).toBeNull()
  await act(() => vi.advanceTimersByTimeAsync(90_000))
  const button = screen.getByRole('button', BUTTON)
  expect(screen.getByText('You are signed out in 90 seconds.')).toBeDefined()
  await act(async () => {
    button.click()
    await vi.advanceTimersByTimeAsync(2000)
  })
  expect(screen.queryByRole('button', BUTTON)).toBeNull()
})
