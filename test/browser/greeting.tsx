/** A component that shows the session, and functions to render and read it. */
import { act, cleanup, render, waitFor } from '@testing-library/react'
import type { RenderResult } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, vi } from 'vitest'
import { SessionProvider, useSession } from '../../src/browser/react/index.ts'
import type {
  SessionContextValue,
  SessionProviderProps,
  Session,
} from '../../src/browser/react/index.ts'
import { siteConfig, traffic, visit } from '../frameworks/site.ts'
import type { Visit } from '../frameworks/site.ts'

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

/** Unmounts the page, and restores timers, globals and mocks. */
export function closeSite(): void {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
}

/** Waits until no request is pending and other tabs have received all messages. */
export async function settle(): Promise<void> {
  do await act(() => new Promise((resolve) => void setTimeout(resolve, 50)))
  while (traffic.pending > 0)
}

type Props = Omit<SessionProviderProps, 'children'>

/** A rendered page. */
export interface RenderedPage {
  text(): string
  /** Renders it again with other properties. */
  rerender(props: Props): Promise<void>
  unmount(): void
}

/** Renders a page with a provider. */
export async function show(
  props: Props = {},
  wrap: (page: ReactNode) => ReactNode = (page) => page,
): Promise<RenderedPage> {
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
    async rerender(given) {
      view.rerender(page(given))
      await settle()
    },
    unmount: () => view.unmount(),
  }
}

/** Runs an action and waits until its effects are rendered. */
export async function perform<T>(work: () => Promise<T>): Promise<T> {
  const result = await act(work)
  await settle()
  return result
}

/** The credentials of Grace, in a form that does not redirect. */
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
  await waitFor(() => expect(view.container.textContent).toBe(text), { timeout: 20_000 })
}
