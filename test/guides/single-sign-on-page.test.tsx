// @vitest-environment jsdom
/** The sign-in page of docs/guides/single-sign-on.md. */
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import type { ComponentType } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openGuide } from './guide.ts'

const { signIn } = vi.hoisted(() => ({ signIn: vi.fn() }))
vi.mock('lib-auth/react', () => ({ signIn }))

type Start = ComponentType<{ callbackUrl: string; hasFailed: boolean }>
const { Start } = await openGuide('single-sign-on').load<{ Start: Start }>('app/signin/start.tsx')
const calls = [['keycloak', { redirectTo: '/cart' }]]

beforeEach(() => void signIn.mockClear())
afterEach(cleanup)

test('starts the sign-in once, also when it is rendered again', () => {
  const { rerender } = render(<Start callbackUrl="/cart" hasFailed={false} />)
  rerender(<Start callbackUrl="/cart" hasFailed={false} />)
  expect(signIn.mock.calls).toEqual(calls)
})

test('waits for a click after an error', () => {
  render(<Start callbackUrl="/cart" hasFailed />)
  expect(signIn).not.toHaveBeenCalled()
  fireEvent.click(screen.getByRole('button', { name: 'Sign in' }))
  expect(signIn.mock.calls).toEqual(calls)
})
