/** The example applications, written with the imports of `next-auth` and `@auth`, after `upgrade`. Other tests build them. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { folderWith } from './folder.ts'
import { startIn } from './program.ts'

const EXAMPLES = fileURLToPath(new URL('../../examples', import.meta.url))

const APPLICATIONS = [
  'astro',
  'express',
  'fastify',
  'hono',
  'next-app-router',
  'next-pages-router',
  'node',
  'nuxt',
  'react-router',
  'sveltekit',
  'tanstack-start',
]

const BUILT = /(?:^|\/)(?:node_modules|\.[\w-]+|build|dist|database)\//

/** The source of an application by file name. */
function sourceOf(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const files = names.filter(
    (file) => !BUILT.test(`${file}/`) && /\.(?:[jt]sx?|mjs|svelte|vue|astro)$/.test(file),
  )
  return Object.fromEntries(
    files
      .filter((file) => statSync(join(folder, file)).isFile())
      .sort()
      .map((file) => [file, readFileSync(join(folder, file), 'utf8')]),
  )
}

/** What the modules of an application were called before. */
function before(name: string, specifier: string): string {
  const core = name.startsWith('next-') ? 'next-auth' : '@auth/core'
  const former: Readonly<Record<string, string>> = {
    'lib-auth': '@auth/core',
    'lib-auth/errors': '@auth/core/errors',
    'lib-auth/express': '@auth/express',
    'lib-auth/hono': '@hono/auth-js',
    'lib-auth/next': 'next-auth',
    'lib-auth/react': 'next-auth/react',
    'lib-auth/svelte': '@auth/sveltekit/client',
    'lib-auth/sveltekit': '@auth/sveltekit',
    'lib-auth/webauthn': 'next-auth/webauthn',
  }
  return former[specifier] ?? specifier.replace(/^lib-auth(?=\/providers)/, core)
}

test.each(APPLICATIONS)('%s has the imports of this library, and is not changed again', (name) => {
  const after = sourceOf(join(EXAMPLES, name))
  const written = Object.entries(after).map(([file, text]) => [
    file,
    text.replaceAll(/(["'])(lib-auth[\w/-]*)\1/g, (_all, quote: string, specifier: string) => {
      return `${quote}${before(name, specifier)}${quote}`
    }),
  ])
  const folder = folderWith({ ...Object.fromEntries(written), 'package.json': '{"type":"module"}' })
  const isOfOthers = JSON.stringify(sourceOf(folder)) !== JSON.stringify(after)
  for (const hasImports of [isOfOthers, false]) {
    const { stdout } = startIn(folder, ['upgrade', '--from', '0.1.0'])
    expect(stdout.includes('Imports: npx lib-auth migrate-imports'), stdout).toBe(hasImports)
    expect(stdout).toContain('Configuration: npx lib-auth doctor')
    expect(sourceOf(folder)).toEqual(after)
  }
})
