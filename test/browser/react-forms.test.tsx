// @vitest-environment jsdom
import { render } from '@testing-library/react'
import type { FormEvent } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import * as react from '../../src/browser/react/index.ts'
import { closeSite, openSite, perform, submit } from './greeting.tsx'
import { login, submitted, unusable } from '../frameworks/site.ts'
import type { Visit } from '../frameworks/site.ts'

let site: Visit

beforeEach(() => {
  site = openSite()
})

afterEach(closeSite)

const stay = { ...login, redirect: false } as const

describe('the functions without a component', () => {
  test('return the data', async () => {
    await site.client.signIn('credentials', stay)
    expect(await react.getSession()).toMatchObject({ user: { name: 'Grace Hopper' } })
    expect(await react.getCsrfToken()).toMatch(/^[0-9a-f]{64}$/)
    expect(Object.keys((await react.getProviders()) ?? {})).toEqual(['op', 'credentials'])
  })

  test.each(Object.entries(unusable))(
    'return an empty result for %s and log the error',
    async (_how, answer) => {
      site.page.intercept = answer
      expect(await react.getSession()).toBeNull()
      expect(await react.getCsrfToken()).toBe('')
      expect(await react.getProviders()).toBeNull()
      expect(console.error).toHaveBeenCalledTimes(3)
    },
  )

  test('work as click handlers', async () => {
    const onClick = react.signOut as () => void
    const view = render(<button type="button" onClick={onClick} />)
    await perform(async () => view.getByRole('button').click())
    await vi.waitFor(() => expect(site.visited).toHaveLength(1), { timeout: 20_000 })
    expect(site.page.requests).toEqual(['GET csrf', 'POST signout'])
  })
})

describe('a form', () => {
  test('signs in with the submitted fields', async () => {
    const signIn = (event: FormEvent<HTMLFormElement>) => {
      event.preventDefault()
      void react.signIn('credentials', new FormData(event.currentTarget))
    }
    await submit((fields) => <form onSubmit={signIn}>{fields}</form>, 'authenticated: Grace Hopper')
    expect(submitted.last).toEqual(login)
    expect(site.visited).toEqual([])
  })

  test('signs out', async () => {
    const signOut = (event: FormEvent<HTMLFormElement>) => {
      event.preventDefault()
      void react.signOut(new FormData(event.currentTarget))
    }
    await site.client.signIn('credentials', stay)
    await submit((fields) => <form onSubmit={signOut}>{fields}</form>, 'unauthenticated: no user')
    expect(site.visited).toEqual([])
  })
})
