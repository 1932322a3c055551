// @vitest-environment jsdom
/** The sign-in page of docs/guides/single-sign-on.md. */
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import type { ComponentType } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openGuide } from './guide.ts'

const { signIn } = vi.hoisted(() => ({ signIn: vi.fn(async () => undefined) }))
vi.mock('lib-auth/react', () => ({ signIn }))

type Start = ComponentType<{ callbackUrl: string; hasFailed: boolean }>
const { Start } = await openGuide('single-sign-on').load<{ Start: Start }>('app/signin/start.tsx')
const calls = [['keycloak', { redirectTo: '/cart' }]]

beforeEach(() => {
  signIn.mockClear()
  sessionStorage.clear()
})
afterEach(cleanup)

test('starts the sign-in once, also when it is rendered again', () => {
  const { rerender } = render(<Start callbackUrl="/cart" hasFailed={false} />)
  rerender(<Start callbackUrl="/cart" hasFailed={false} />)
  expect(signIn.mock.calls).toEqual(calls)
})

test('waits for a click if the page opens again at once: the session does not begin', () => {
  render(<Start callbackUrl="/cart" hasFailed={false} />)
  cleanup()
  render(<Start callbackUrl="/cart" hasFailed={false} />)
  expect(signIn.mock.calls).toEqual(calls)
  fireEvent.click(screen.getByRole('button', { name: 'Sign in' }))
  expect(signIn.mock.calls).toEqual([...calls, ...calls])
})

test('shows the button if the request fails', async () => {
  signIn.mockRejectedValueOnce(new Error('offline'))
  render(<Start callbackUrl="/cart" hasFailed={false} />)
  expect(await screen.findByRole('button', { name: 'Sign in' })).toBeDefined()
})

test('waits for a click after an error', () => {
  render(<Start callbackUrl="/cart" hasFailed />)
  expect(signIn).not.toHaveBeenCalled()
  fireEvent.click(screen.getByRole('button', { name: 'Sign in' }))
  expect(signIn.mock.calls).toEqual(calls)
})
