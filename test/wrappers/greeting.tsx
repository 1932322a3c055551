/** A component that shows the session, and functions to render and read it. */
import { act, cleanup, render, waitFor } from '@testing-library/react'
import type { RenderResult } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, vi } from 'vitest'
import { SessionProvider, useSession } from '../../src/react/index.ts'
import type { SessionContextValue, SessionProviderProps, Session } from '../../src/react/index.ts'
import { siteConfig, traffic, visit } from './site.ts'
import type { Visit } from './site.ts'

/** A session as a server might have rendered it. */
export function sessionOf(name: string): Session {
  return { user: { name }, expires: '2999-01-01T00:00:00.000Z' }
}

/** The result of `useSession` in each render. */
export const snapshots: SessionContextValue[] = []

export function Greeting(): ReactNode {
  const session = useSession()
  snapshots.push(session)
  return `${session.status}: ${session.data?.user?.name ?? 'no user'}`
}

/** Opens a page of a site with a test browser. */
export function openSite(overrides?: Parameters<typeof siteConfig>[0]): Visit {
  const site = visit(siteConfig(overrides).config)
  vi.stubGlobal('fetch', site.page.fetch)
  snapshots.length = 0
  return site
}

/** Leaves everything as the next test wants to find it. */
export function leaveSite(): void {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
}

/** Waits until everything that was asked for is there, and other tabs had time to hear of it. */
export async function settle(): Promise<void> {
  do await act(() => new Promise((resolve) => void setTimeout(resolve, 50)))
  while (traffic.pending > 0)
}

type Props = Omit<SessionProviderProps, 'children'>

/** A page that is shown. */
export interface Shown {
  text(): string
  /** Renders it again, with other properties. */
  again(props: Props): Promise<void>
  leave(): void
}

/** Shows a page with a provider. */
export async function show(
  props: Props = {},
  wrap: (page: ReactNode) => ReactNode = (page) => page,
): Promise<Shown> {
  const page = (given: Props) =>
    wrap(
      <SessionProvider {...given}>
        <Greeting />
      </SessionProvider>,
    )
  const view: RenderResult = render(page(props))
  await settle()
  return {
    text: () => view.container.textContent,
    async again(given) {
      view.rerender(page(given))
      await settle()
    },
    leave: () => view.unmount(),
  }
}

/** Does something and waits for what comes of it. */
export async function perform<T>(work: () => Promise<T>): Promise<T> {
  const result = await act(work)
  await settle()
  return result
}

/** What Grace types in, in a form that stays on the page. */
const fields = (
  <>
    <input name="username" defaultValue="grace" />
    <input name="password" defaultValue="right" />
    <input name="redirect" defaultValue="false" />
    <button type="submit" />
  </>
)

/** Renders a form with these fields, submits it, and waits until the page shows this text. */
export async function submit(form: (content: ReactNode) => ReactNode, text: string): Promise<void> {
  const view = render(
    <SessionProvider>
      <Greeting />
      {form(fields)}
    </SessionProvider>,
  )
  await settle()
  await act(async () => view.getByRole('button').click())
  await waitFor(() => expect(view.container.textContent).toBe(text))
}
