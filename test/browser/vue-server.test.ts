/** The client for Vue on a server. */
import { expect, test, vi } from 'vitest'
import { createSSRApp, defineComponent, h } from 'vue'
import { renderToString } from 'vue/server-renderer'
import { createAuth, useSession } from '../../src/browser/vue/index.ts'
import { sessionOf } from './greeting.tsx'

const Greeting = defineComponent(async () => {
  const { data, status } = useSession()
  await new Promise((resolve) => setTimeout(resolve, 5))
  return () => h('p', `${status.value}: ${data.value?.user?.name}`)
})

async function render(name: string): Promise<string> {
  return renderToString(createSSRApp(Greeting).use(createAuth({ session: sessionOf(name) })))
}

test('pages that are rendered at the same time contain only their own session, and send no request', async () => {
  const fetch = vi.spyOn(globalThis, 'fetch')
  const pages = await Promise.all(['Ada', 'Grace'].map(render))
  expect(pages).toEqual(['<p>authenticated: Ada</p>', '<p>authenticated: Grace</p>'])
  expect(fetch).not.toHaveBeenCalled()
})

test('an unknown session is shown as loading', async () => {
  expect(await renderToString(createSSRApp(Greeting).use(createAuth()))).toContain('loading')
})
