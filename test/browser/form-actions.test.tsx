// @vitest-environment jsdom
/** Form actions of React 19: a form calls a function with its fields. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import * as react from '../../src/browser/react/index.ts'
import { closeSite, openSite, submit } from './greeting.tsx'
import { login, submitted } from '../frameworks/site.ts'
import type { Visit } from '../frameworks/site.ts'

let site: Visit

beforeEach(() => {
  site = openSite()
})

afterEach(closeSite)

test('a form action signs in with the submitted fields', async () => {
  const enter = (form: FormData) => react.signIn('credentials', form)
  await submit((fields) => <form action={enter}>{fields}</form>, 'authenticated: Grace Hopper')
  expect(submitted.last).toEqual(login)
  expect(site.visited).toEqual([])
})

test('signOut works as a form action', async () => {
  await site.client.signIn('credentials', { ...login, redirect: false })
  await submit((fields) => <form action={react.signOut}>{fields}</form>, 'unauthenticated: no user')
  expect(site.visited).toEqual([])
})
