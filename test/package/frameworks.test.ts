/** The table of frameworks in the README. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const read = (file: string) =>
  readFileSync(fileURLToPath(new URL(`../../${file}`, import.meta.url)), 'utf8')

const [, section = ''] = read('README.md').split('## Frameworks\n')
const [table = ''] = section.split('\n## ')
const rows = new Map(
  [...table.matchAll(/^\| (.+) \|$/gm)].map(([, row = '']) => {
    const [name = '', subpath = '', , tested = ''] = row.split('|').map((cell) => cell.trim())
    return [name, { subpath: subpath.replaceAll('`', ''), tested: tested.split(', ') }]
  }),
)

/** The packages with which tests run, and the folder of the `package.json` that has their exact versions. */
const TESTED = [
  ['Next.js', '.', 'next'],
  ['Next.js', 'test/apps/next-15', 'next'],
  ['Express', '.', 'express'],
  ['Express', '.', 'express-4'],
  ['Express', '.', 'express-4.21'],
  ['Express', '.', 'express-5.0'],
  ['Fastify', '.', 'fastify'],
  ['Fastify', '.', 'fastify-5.0'],
  ['Hono', '.', 'hono'],
  ['Hono', '.', 'hono-4.6'],
  ['React Router', 'test/frameworks/react-router-7.9', 'react-router'],
  ['React Router', 'test/frameworks/react-router', 'react-router'],
  ['React Router', 'test/frameworks/react-router-8', 'react-router'],
  ['SvelteKit', 'test/frameworks/sveltekit', '@sveltejs/kit'],
  ['SvelteKit', 'test/frameworks/sveltekit-3', '@sveltejs/kit'],
  ['Nuxt', 'test/frameworks/nuxt', 'nuxt'],
  ['Astro', 'test/frameworks/astro', 'astro'],
  ['Astro', 'test/frameworks/astro-7', 'astro'],
  ['TanStack Start', 'test/frameworks/tanstack-start', '@tanstack/react-start'],
] as const

test.each(TESTED)('the README names the version of %s in %s', (name, folder, dependency) => {
  const { dependencies, devDependencies } = JSON.parse(read(`${folder}/package.json`))
  const { [dependency]: exact } = { ...dependencies, ...devDependencies }
  const [version] = /\d+\.\d+(?=\.\d+$)/.exec(exact) ?? []
  expect(rows.get(name)?.tested).toContain(version)
})

test('the README names subpaths that exist', () => {
  const { exports } = JSON.parse(read('package.json'))
  const subpaths = [...rows.values()].flatMap(({ subpath }) => /^lib-auth\/.+/.exec(subpath) ?? [])
  expect(subpaths.length).toBeGreaterThan(8)
  for (const subpath of subpaths) expect(exports).toHaveProperty([subpath.replace('lib-auth', '.')])
})
