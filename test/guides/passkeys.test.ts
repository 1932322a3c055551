/** docs/guides/passkeys.md */
import { isValidElement } from 'react'
import type { ReactNode } from 'react'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import MemoryAdapter from '../../src/adapters/memory.ts'
import type { AuthConfig } from '../../src/index.ts'
import type { LibResult } from '../../src/frameworks/next/index.ts'
import { SECRET } from '../config.ts'
import { addPasskey, storedIds, withPasskeys } from '../passkeys.ts'
import { thrownRedirect, SESSION, openSite } from '../frameworks/next/next-site.ts'
import type { NextSite } from '../frameworks/next/next-site.ts'
import { openGuide, stubGuideEnvironment } from './guide.ts'

const guide = openGuide('passkeys')
const adapter = MemoryAdapter()

interface PasskeysPage {
  default: (props: { searchParams: Promise<{ refused?: string }> }) => Promise<ReactNode>
}

type Rename = (form: FormData) => Promise<void>
type Remove = (id: string) => Promise<unknown>
type Handler = (request: Request, config: AuthConfig) => Promise<Response>

let site: NextSite
let userId: string
let token: string
beforeAll(async () => {
  stubGuideEnvironment()
  // In place of the SQLite file of the guide.
  Object.assign(globalThis, { adapter })
  site = openSite(await guide.load<LibResult>('auth.ts'))
})
afterAll(() => {
  vi.unstubAllEnvs()
  Reflect.deleteProperty(globalThis, 'adapter')
})
beforeEach(async () => {
  const email = `${crypto.randomUUID()}@example.com`
  userId = (await adapter.createUser({ id: '', email, emailVerified: null })).id
  token = crypto.randomUUID()
  const expires = new Date(Date.now() + 60_000)
  await adapter.createSession({ sessionToken: token, userId, expires })
  site.cookies.set(SESSION, token)
})

/** The elements of a page, outer ones first. */
function elementsIn(node: ReactNode): { type: unknown; props: Record<string, unknown> }[] {
  if (Array.isArray(node)) return node.flatMap(elementsIn)
  if (!isValidElement<Record<string, unknown>>(node)) return []
  const { type, props } = node
  return [{ type, props }, ...elementsIn(props['children'] as ReactNode)]
}

async function elementsOfPage(query: { refused?: string } = {}) {
  const { default: Page } = await guide.load<PasskeysPage>('app/passkeys/page.tsx')
  return elementsIn(await site.render(() => Page({ searchParams: Promise.resolve(query) })))
}

/** A server action that the page passes to an element. */
async function actionOf<Action>(
  name: string,
  isElement: (props: Record<string, unknown>) => boolean,
) {
  const found = (await elementsOfPage()).find(({ props }) => name in props && isElement(props))
  if (!found) throw new Error(`The page has no element with ${name}.`)
  return found.props[name] as Action
}

/** Submits the form of a passkey. */
async function rename(fields: Record<string, string>): Promise<void> {
  const action = await actionOf<Rename>('formAction', ({ children }) => children === 'Rename')
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  await site.action(() => action(form))
}

/** Calls the server action that the button of a passkey calls. */
async function remove(passkey: string): Promise<unknown> {
  const action = await actionOf<Remove>('remove', ({ id }) => id === passkey)
  return site.action(() => action(passkey))
}

describe('the page of the guide', () => {
  test('lists the passkeys of the user, with their names', async () => {
    const id = await addPasskey(adapter, userId, { name: 'Phone' })
    const values = (await elementsOfPage())
      .filter(({ type }) => type === 'input')
      .map(({ props }) => props['value'] ?? props['defaultValue'])
    expect(values).toEqual([id, 'Phone'])
  })

  test('renames a passkey', async () => {
    const id = await addPasskey(adapter, userId)
    expect(await thrownRedirect(rename({ id, name: 'Laptop' }))).toBe('/passkeys')
    expect(await adapter.getAuthenticator(id)).toMatchObject({ name: 'Laptop' })
  })

  test('removes a passkey, but explains why the last one is kept', async () => {
    const [first, second] = [await addPasskey(adapter, userId), await addPasskey(adapter, userId)]
    expect(await remove(first)).toBe('removed')
    expect(await remove(second)).toBe('refused')
    expect(await storedIds(adapter, userId)).toEqual([second])
    const alert = (await elementsOfPage({ refused: '' })).find(({ props }) => props['role'])
    expect(alert?.props['children']).toBe('Add another passkey before you remove this one.')
  })

  test('redirects a visitor who is signed out to the sign-in page', async () => {
    site.cookies.delete(SESSION)
    expect(await thrownRedirect(elementsOfPage())).toContain(
      '/api/auth/signin?callbackUrl=%2Fpasskeys',
    )
  })
})

describe('the request handler of the guide', () => {
  async function send(method: string, id: string, body?: string) {
    const { handlePasskeys } = await guide.load<{ handlePasskeys: Handler }>('passkeys-api.ts')
    const url = `https://app.test/passkeys?${new URLSearchParams({ id })}`
    const headers = { cookie: `${SESSION}=${token}`, 'sec-fetch-site': 'same-origin' }
    const request = new Request(url, { method, headers, ...(body !== undefined && { body }) })
    const config = { adapter, secret: SECRET, trustHost: true, providers: [] }
    return handlePasskeys(request, withPasskeys(config))
  }

  test('lists, renames and removes passkeys, and keeps the last one', async () => {
    const [first, second] = [await addPasskey(adapter, userId), await addPasskey(adapter, userId)]
    expect(await (await send('GET', '')).json()).toHaveLength(2)
    expect(await (await send('PATCH', first, 'Key')).json()).toMatchObject({ name: 'Key' })
    expect((await send('DELETE', first)).status).toBe(200)
    expect((await send('DELETE', first)).status).toBe(404)
    expect((await send('DELETE', second)).status).toBe(409)
    expect(await storedIds(adapter, userId)).toEqual([second])
  })
})
