// @vitest-environment jsdom
/** What React has from version 19 on: a form calls a function with what is typed into it. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import * as react from '../../src/react/index.ts'
import { leaveSite, openSite, submit } from './greeting.tsx'
import { right, typed } from './site.ts'
import type { Visit } from './site.ts'

let site: Visit

beforeEach(() => {
  site = openSite()
})

afterEach(leaveSite)

// Covers: next.documented-forms
test('a form action signs in with the submitted fields', async () => {
  const enter = (form: FormData) => react.signIn('credentials', form)
  await submit((fields) => <form action={enter}>{fields}</form>, 'authenticated: Grace Hopper')
  expect(typed.last).toEqual(right)
  expect(site.journey).toEqual([])
})

test('signOut works as a form action', async () => {
  await site.client.signIn('credentials', { ...right, redirect: false })
  await submit((fields) => <form action={react.signOut}>{fields}</form>, 'unauthenticated: no user')
  expect(site.journey).toEqual([])
})
