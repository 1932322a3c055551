/** A page that stays open during a deployment which removes its chunks. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import type * as React from '../../src/browser/react/index.ts'

const CACHE = fileURLToPath(new URL('../../.cache', import.meta.url))
const ENTRY = fileURLToPath(new URL('../../src/browser/react/index.ts', import.meta.url))
const HERE = 'https://app.test/welcome?tab=2'

/** The module that the open page has loaded. */
let page: typeof React

beforeAll(async () => {
  mkdirSync(CACHE, { recursive: true })
  const folder = mkdtempSync(join(CACHE, 'new-version-'))
  await build({
    entryPoints: { page: ENTRY },
    external: ['react', 'react/jsx-runtime'],
    bundle: true,
    splitting: true,
    format: 'esm',
    outdir: folder,
    outExtension: { '.js': '.mjs' },
  })
  const chunks = readdirSync(folder).filter((file) => file.startsWith('page-forms-'))
  expect(chunks).toHaveLength(1)
  const loaded: typeof React = await import(pathToFileURL(join(folder, 'page.mjs')).href)
  page = loaded
  rmSync(folder, { recursive: true })
})

afterEach(() => void vi.unstubAllGlobals())

test.each([
  ['signIn', () => page.signIn('github', { redirectTo: '/home' }), 'signin'],
  ['signOut', () => page.signOut(), 'signout'],
])(
  'a click on %s navigates to the built-in page if the chunk no longer exists',
  async (_, call, to) => {
    const visited: string[] = []
    vi.stubGlobal('location', { href: HERE, assign: (url: string) => void visited.push(url) })
    await expect(call()).rejects.toThrow('page-forms-')
    expect(visited).toEqual([`/api/auth/${to}?${new URLSearchParams({ callbackUrl: HERE })}`])
  },
)
