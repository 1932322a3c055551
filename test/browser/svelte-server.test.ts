/** The client for Svelte on a server, as Node resolves the package. */
import type { Component } from 'svelte'
import { render } from 'svelte/server'
import { expect, test, vi } from 'vitest'
import { setSession, useSession } from '../../src/browser/svelte/index.ts'
import { sessionOf } from './greeting.tsx'

interface Renderer {
  component(body: (renderer: Renderer) => void): void
  push(html: string): void
}

/** A component as the compiler writes it. */
const component = (body: (renderer: Renderer) => void) =>
  ((renderer: Renderer) => {
    renderer.component(body)
  }) as unknown as Component

const Greeting = (renderer: Renderer) =>
  renderer.component((inner) => {
    const session = useSession()
    session.store.subscribe(({ status }) => inner.push(`${status}, `))
    inner.push(`${session.status}: ${session.data?.user?.name}`)
  })

const page = (name: string) =>
  component((renderer) => {
    setSession(() => sessionOf(name))
    Greeting(renderer)
  })

test('pages that a server renders contain only their own session, and send no request', async () => {
  const fetch = vi.spyOn(globalThis, 'fetch')
  const pages = await Promise.all(
    ['Ada', 'Grace'].map(async (name) => (await render(page(name))).body),
  )
  expect(pages.map((each) => each.replaceAll(/<!--.*?-->/g, ''))).toEqual([
    'authenticated, authenticated: Ada',
    'authenticated, authenticated: Grace',
  ])
  expect(fetch).not.toHaveBeenCalled()
})

test('throws an error that names setSession if it was not called', async () => {
  const rendering = async () => (await render(component(Greeting))).body
  await expect(rendering()).rejects.toThrow('useSession needs setSession')
})
