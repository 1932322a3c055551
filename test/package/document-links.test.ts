/** Links and file names in the documents. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { findBlocks } from './snippets.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

const DOCUMENTS = [
  'README.md',
  'SECURITY.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'STABILITY.md',
  'examples/README.md',
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file.replaceAll('\\', '/')}`),
  ...[
    'astro',
    'cluster',
    'express',
    'fastify',
    'hono',
    'node',
    'nuxt',
    'react-router',
    'sveltekit',
    'tanstack-start',
  ].map((name) => `examples/${name}/README.md`),
]

const textOf = (document: string) =>
  readFileSync(join(ROOT, document), 'utf8').replace(/^ *```[^]*?^ *```$/gm, '')

/** The anchor that GitHub gives a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{Letter}\p{Number}_\- ]/gu, '')
    .replaceAll(' ', '-')
}

function anchorsIn(document: string): string[] {
  return [...textOf(document).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading))
}

test.each(DOCUMENTS)('%s links to files and headings that exist', (document) => {
  const targets = [...textOf(document).matchAll(/\]\(([^)\s]+)\)|(?:src|srcset)="([^"]+)"/g)]
    .map(([, link, image]) => link ?? image ?? '')
    .filter((target) => !/^(?:https?|mailto):/.test(target))
  const dead = targets.filter((target) => {
    const [path = '', anchor] = target.split('#')
    const file = path === '' ? document : normalize(join(dirname(document), path))
    if (!existsSync(join(ROOT, file))) return true
    return anchor !== undefined && !anchorsIn(file).includes(anchor)
  })
  expect(dead).toEqual([])
})

test.each(DOCUMENTS)('%s names files that exist, or that the reader creates', (document) => {
  const blocks = findBlocks(document, readFileSync(join(ROOT, document), 'utf8'))
  const created = new Set(blocks.map(({ file }) => file))
  const names = [
    ...textOf(document).matchAll(/`((?:bench|examples|src|test|tools)\/[\w./-]*\.\w+)`/g),
  ].map(([, name = '']) => name)
  // The document of an example names files of its folder.
  const folders = [ROOT, join(ROOT, dirname(document))]
  const exists = (name: string) => folders.some((folder) => existsSync(join(folder, name)))
  const missing = names.filter((name) => !exists(name) && !created.has(name))
  expect(missing).toEqual([])
})

test('the README names subpaths that exist', () => {
  const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const subpaths = new Set(textOf('README.md').match(/(?<=`lib-auth\/)[\w/-]+(?=`)/g))
  expect(subpaths.size).toBeGreaterThan(8)
  for (const subpath of subpaths) {
    const names = [`./${subpath}`, `./${subpath.replace(/[^/]+$/, '*')}`]
    expect(
      names.some((name) => name in exports),
      subpath,
    ).toBe(true)
  }
})
