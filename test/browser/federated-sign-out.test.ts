// @vitest-environment jsdom
/** The clients lead to the sign-out page of the provider. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { SignOutOptions, SignOutResponse } from '../../src/browser/client/index.ts'
import * as react from '../../src/browser/react/index.ts'
import * as solid from '../../src/browser/solid/index.ts'
import * as svelte from '../../src/browser/svelte/index.ts'
import * as vue from '../../src/browser/vue/index.ts'
import { op, ORIGIN, siteConfig, visit } from '../frameworks/site.ts'
import type { Visit } from '../frameworks/site.ts'

// Node resolves the package to its build for servers. Files of one worker share the client, so each needs the same one.
vi.mock('solid-js', () => {
  const forBrowsers: string = '../../node_modules/solid-js/dist/solid.js'
  return import(forBrowsers)
})

const END = `${op.url}/end-session`

let site: Visit

/** Ada has signed in at a provider that has a sign-out page. */
beforeEach(async () => {
  op.misbehaviour.discovery = (metadata) => ({ ...metadata, end_session_endpoint: END })
  site = visit(siteConfig({ logout: {}, fetch: (...call) => op.fetch(...call) }).config)
  vi.stubGlobal('fetch', site.page.fetch)
  const begun = await site.page.tab.begin('op')
  await begun.comeBack(await op.authorize(begun.url, { sub: 'ada' }))
  expect(await site.page.tab.session()).not.toBeNull()
})

afterEach(() => {
  op.reset()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

type SignOut = (options: SignOutOptions | FormData) => Promise<SignOutResponse | void>

const CLIENTS: Record<string, () => SignOut> = {
  createClient: () => (options) => site.client.signOut(options),
  React: () => react.signOut,
  Vue: () => vue.signOut,
  Svelte: () => svelte.signOut,
  Solid: () => solid.signOut,
}

async function expectSignedOut(url = ''): Promise<void> {
  expect(url.split('?')[0]).toBe(END)
  const { searchParams } = new URL(url)
  expect(searchParams.get('id_token_hint')).toMatch(/^ey/)
  expect(searchParams.get('post_logout_redirect_uri')).toBe(`${ORIGIN}/api/auth/post-logout`)
  expect(await site.page.tab.session()).toBeNull()
}

test.each(Object.entries(CLIENTS))('%s opens it with federated: true', async (_name, signOut) => {
  await signOut()({ federated: true, redirectTo: '/bye' })
  expect(site.visited).toHaveLength(1)
  await expectSignedOut(site.visited[0])
})

test.each(Object.entries(CLIENTS))(
  '%s returns its URL to a page that stays',
  async (_name, signOut) => {
    const result = await signOut()({ federated: 'all', redirect: false })
    expect(site.visited).toEqual([])
    await expectSignedOut(result?.url)
  },
)

test.each(Object.entries(CLIENTS))('%s reads the field of a form', async (_name, signOut) => {
  const form = new FormData()
  form.set('federated', 'true')
  await signOut()(form)
  await expectSignedOut(site.visited[0])
})

test.each(Object.entries(CLIENTS))(
  '%s does not open it without the option',
  async (_name, signOut) => {
    for (const options of [{}, { federated: false }])
      expect(await signOut()({ ...options, redirect: false })).toEqual({
        url: `${ORIGIN}/welcome?tab=2`,
      })
  },
)
