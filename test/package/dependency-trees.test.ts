/** The tarball installs beside other dependencies: npm loads optional peers, and the peers of these, even if nothing imports them. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { run } from '../../tools/run.mjs'

const root = mkdtempSync(join(tmpdir(), 'lib-auth-trees-'))
const tarball = inject('tarball')
afterAll(() => rmSync(root, { recursive: true, force: true }))

function createFolder(name: string, files: Readonly<Record<string, string>>): string {
  const folder = join(root, name.replaceAll(/\W+/g, '-'))
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  return folder
}

const TREES = {
  'Next.js 16 with Jest 30': 'next@16 react@19 react-dom@19 jest@30 typescript@5.9',
  'Next.js 14 with Prisma 5 and next-auth 4':
    'next@14 react@18 react-dom@18 next-auth@4 prisma@5 @prisma/client@5 @next-auth/prisma-adapter',
  'Next.js 15 with Storybook 8 and Vitest 1':
    'next@15 react@19 react-dom@19 storybook@8 @storybook/nextjs@8 vitest@1 jest@29',
  'a canary release of Next.js': 'next@16.0.0-canary.10 react@19 react-dom@19',
  'Next.js 12 with React 17': 'next@12 react@17 react-dom@17 typescript@4.9',
  'Nuxt 4.0': 'nuxt@4.0.0',
  'Nuxt 3.0 with Vite 3': 'nuxt@3.0.0',
  'Create React App 5': 'react-scripts@5 react@18 react-dom@18 typescript@4.9',
  'Storybook 7 with Vite 4':
    'storybook@7 @storybook/react@7 @storybook/react-vite@7 react@18 react-dom@18 vite@4',
  'Babel 7.12 with Jest 26': '@babel/core@7.12 babel-jest@26 jest@26 express@4 typescript@4.5',
  'Expo 49': 'expo@49 react-native@0.72.10 react@18.2.0',
  'Astro 4': 'astro@4 typescript@5.4',
  'Vite 5 with Solid 1.7': 'solid-js@1.7 vite@5 vite-plugin-solid',
  '@simplewebauthn 8': '@simplewebauthn/server@8 @simplewebauthn/browser@8 express@4',
}

/** A tarball of the manifest alone, which is all that npm reads of the package to resolve it. */
function packManifest(): string {
  const folder = createFolder('manifest', {})
  const slim = join(folder, 'lib-auth.tgz')
  mkdirSync(folder)
  execFileSync('tar', ['-xzf', tarball, '-C', folder, 'package/package.json'])
  execFileSync('tar', ['-czf', slim, '-C', folder, 'package'])
  return slim
}

const MANIFEST = '{ "name": "application", "version": "1.0.0", "private": true, "type": "module" }'

// npm waits for the registry and the disk.
describe.concurrent('npm resolves the package together with', () => {
  const slim = packManifest()
  test.each(Object.entries(TREES))('%s', { timeout: 300_000 }, async (name, dependencies) => {
    const cwd = createFolder(name, { 'package.json': MANIFEST })
    const options = '--package-lock-only --no-audit --no-fund --prefer-offline'.split(' ')
    await run('npm', ['install', ...options, ...dependencies.split(' ')], { cwd })
    await run('npm', ['install', ...options, slim], { cwd })
  })
})

/** Imports what is no peer, because its own peers would break other trees, and peers that are instances. */
const IMPORTS = `
process.env.AUTH_SECRET = 'a secret of the application for this test'
await import('lib-auth/sveltekit')
await import('lib-auth/adapters/drizzle')
await import('lib-auth/adapters/kysely')
await import('lib-auth/react')
const { default: Lib } = await import('lib-auth/tanstack-start')
await Lib({ providers: [] }).auth().catch(({ message }) => console.log(message))
`

const MEMBER = JSON.stringify({
  name: 'application',
  private: true,
  type: 'module',
  dependencies: {
    'lib-auth': `file:${tarball}`,
    '@sveltejs/kit': '2.20.0',
    '@sveltejs/vite-plugin-svelte': '5.1.1',
    '@tanstack/react-start': '1.169.5',
    'drizzle-orm': '0.44.0',
    kysely: '0.28.0',
    react: '19.2.0',
    'react-dom': '19.2.0',
    svelte: '5.20.0',
    vite: '6.4.1',
  },
})

const YARN = ['--yes', '@yarnpkg/cli-dist@4.12.0']
const YARN_SETTINGS =
  'enableScripts: false\nenableTelemetry: false\nenableImmutableInstalls: false\n'
const ROOT_MANIFEST = '{ "name": "root", "private": true, "workspaces": ["packages/*"] }'

/** As the guides of SvelteKit and TanStack Start describe it. */
const EXTENSIONS = `packageExtensions:
  lib-auth@*:
    peerDependencies:
      '@sveltejs/kit': '*'
      '@tanstack/react-start': '*'
`

const LAYOUTS = {
  'a workspace of pnpm': {
    manager: ['--yes', 'pnpm@10.34.9'],
    install: ['install', '--ignore-scripts'],
    member: 'packages/application',
    files: { 'package.json': ROOT_MANIFEST, 'pnpm-workspace.yaml': 'packages: ["packages/*"]\n' },
  },
  'a workspace of Yarn': {
    manager: YARN,
    install: ['install'],
    member: 'packages/application',
    files: {
      'package.json': ROOT_MANIFEST,
      'yarn.lock': '',
      '.yarnrc.yml': `${YARN_SETTINGS}nodeLinker: node-modules\n`,
    },
  },
  "an application with Yarn Plug'n'Play": {
    manager: YARN,
    install: ['install'],
    member: '.',
    files: { 'yarn.lock': '', '.yarnrc.yml': YARN_SETTINGS },
  },
  "a workspace with Yarn Plug'n'Play and package extensions": {
    manager: YARN,
    install: ['install'],
    member: 'packages/application',
    files: {
      'package.json': ROOT_MANIFEST,
      'yarn.lock': '',
      '.yarnrc.yml': YARN_SETTINGS + EXTENSIONS,
    },
  },
}

describe('the subpaths find the packages of the application in', () => {
  test.each(Object.entries(LAYOUTS))(
    '%s',
    { timeout: 300_000 },
    async (name, { manager, install, member, files }) => {
      const folder = createFolder(name, {
        ...files,
        [join(member, 'package.json')]: MEMBER,
        [join(member, 'imports.js')]: IMPORTS,
      })
      await run('npx', [...manager, ...install], { cwd: folder })
      const args = [...manager, ...(manager === YARN ? ['node'] : ['exec', 'node']), 'imports.js']
      // The package of the framework was loaded: it names what only its server has.
      expect(await run('npx', args, { cwd: join(folder, member) })).toContain(
        'No StartEvent found in AsyncLocalStorage',
      )
    },
  )
})
