/** docs/guides/client-session.md */
import { createElement } from 'react'
import type { ComponentType, ReactElement, ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { GetServerSidePropsContext } from 'next/types.js'
import type { LibResult } from '../../src/frameworks/next/index.ts'
import type { Session } from '../../src/index.ts'
import { encode } from '../../src/jwt.ts'
import { SECRET } from '../config.ts'
import { ORIGIN, openSite, SESSION } from '../frameworks/next/next-site.ts'
import type { NextSite } from '../frameworks/next/next-site.ts'
import { openGuide, stubGuideEnvironment } from './guide.ts'

const guide = openGuide('client-session')

beforeAll(stubGuideEnvironment)
afterAll(() => void vi.unstubAllEnvs())

async function menu(): Promise<ReactElement> {
  const { UserMenu } = await guide.load<{ UserMenu: ComponentType }>('app/user-menu.tsx')
  return createElement(UserMenu)
}

async function signedIn(): Promise<NextSite> {
  const site = openSite(await guide.load<LibResult>('auth.ts'))
  const value = await encode({ token: { sub: '1', name: 'Ada' }, secret: SECRET, salt: SESSION })
  site.cookies.accept(`${SESSION}=${value}; Path=/; Secure; HttpOnly`, new URL(ORIGIN))
  return site
}

test('the layout renders the user into the HTML, or the button without a session', async () => {
  const { default: Layout } = await guide.load<{
    default: (props: { children: ReactNode }) => Promise<ReactElement>
  }>('app/layout.tsx')
  const site = await signedIn()
  const children = await menu()
  const html = renderToStaticMarkup(await site.render(() => Layout({ children })))
  expect(html).toContain('<span>Ada</span>')
  expect(html).toContain('aria-busy="false"')
  const visitor = openSite(await guide.load<LibResult>('auth.ts'))
  const page = renderToStaticMarkup(await visitor.render(() => Layout({ children })))
  expect(page).toContain('Sign in</button>')
})

test('the application of the Pages Router renders the user of getServerSideProps', async () => {
  interface Props {
    readonly props: { readonly session: Session | null }
  }
  const { getServerSideProps } = await guide.load<{
    getServerSideProps: (context: GetServerSidePropsContext) => Promise<Props>
  }>('pages/account-props.ts')
  const { default: App } = await guide.load<{ default: ComponentType<object> }>('pages/_app.tsx')
  const site = await signedIn()
  const { result } = await site.pages(
    (call) => getServerSideProps(call as unknown as GetServerSidePropsContext),
    '/account',
  )
  const element = await menu()
  const props = { Component: () => element, pageProps: result.props }
  expect(renderToStaticMarkup(createElement(App, props))).toContain('<span>Ada</span>')
})

test('a static page contains the empty space: neither a user nor a button', async () => {
  const { Providers } = await guide.load<{ Providers: ComponentType<object> }>('app/providers.tsx')
  const html = renderToStaticMarkup(createElement(Providers, null, await menu()))
  expect(html).toMatch(/^<div style="min-height:2.5rem[^>]*aria-busy="true"><\/div>$/)
})
