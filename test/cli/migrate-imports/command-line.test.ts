/** The command line: its arguments and help, and the notes of `migrate-imports`. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { AUTH, contentOf, folderWith, run } from '../folder.ts'

const COMMANDS = [
  'doctor',
  'migrate',
  'schema',
  'secret',
  'add',
  'explain',
  'dev-provider',
  'upgrade',
  'migrate-imports',
]

describe('migrate-imports', () => {
  test('reports packages, variables and settings, without values', async () => {
    const folder = folderWith({
      'package.json': `{\n  "dependencies": {\n    "next-auth": "^5.0.0-beta.32",\n    "@auth/core": "0.41.3"\n  }\n}`,
      '.env.local': `AUTH_SECRET=hunter2\nNEXTAUTH_URL=https://hunter2.test\n# NEXTAUTH_SECRET=x\nexport NEXTAUTH_SECRET=hunter2`,
      'tsconfig.json': `{ "compilerOptions": { "types": ["next-auth"] } }`,
      'auth.ts': AUTH,
    })
    const { printed, text } = await run('migrate-imports', folder)
    const remaining = printed.slice(printed.indexOf('\nRemaining manual steps:') + 1)
    expect(remaining.slice(0, 5)).toEqual([
      '  .env.local:2: NEXTAUTH_URL is deprecated; rename it to AUTH_URL.',
      '  .env.local:4: NEXTAUTH_SECRET is deprecated; rename it to AUTH_SECRET.',
      '  package.json:3: next-auth is installed. When no import of it remains: npm install lib-auth && npm uninstall next-auth',
      '  package.json:4: @auth/core is installed. When no import of it remains: npm install lib-auth && npm uninstall @auth/core',
      '  tsconfig.json:1: "next-auth" is not an import, so it was not changed.',
    ])
    expect(text).not.toContain('hunter2')
  })

  test.each(['@auth/express', '@auth/sveltekit', '@hono/auth-js'])(
    'reports %s in package.json, and in settings',
    async (name) => {
      const { printed } = await run(
        'migrate-imports',
        folderWith({
          'package.json': `{ "dependencies": { "${name}": "1.2.3" } }`,
          'vite.config.ts': `export default { ssr: { noExternal: ['${name}'] } }`,
        }),
      )
      expect(printed.join('\n')).toContain(`npm install lib-auth && npm uninstall ${name}`)
      expect(printed.join('\n')).toContain(`vite.config.ts:1: "${name}" is not an import`)
    },
  )

  test('reports every moduleResolution that does not find exports of packages', async () => {
    const options = (resolution: string) =>
      `{\n  "compilerOptions": {\n    "moduleResolution": "${resolution}"\n  }\n}`
    const folder = folderWith({
      'tsconfig.json': options('node'),
      'tsconfig.build.json': options('Node10'),
      'apps/web/tsconfig.json': options('classic'),
      'apps/api/tsconfig.json': options('nodenext'),
      'apps/docs/tsconfig.json': `{\n  // "moduleResolution": "node",\n  "compilerOptions": { "moduleResolution": "bundler" }\n}`,
      'auth.ts': AUTH,
    })
    const { printed } = await run('migrate-imports', folder)
    const what = (resolution: string) =>
      `"moduleResolution": "${resolution}" does not find lib-auth/next: write "bundler", or "nodenext".`
    expect(printed.filter((line) => line.includes('moduleResolution'))).toEqual([
      `  apps/web/tsconfig.json:3: ${what('classic')}`,
      `  tsconfig.build.json:3: ${what('Node10')}`,
      `  tsconfig.json:3: ${what('node')}`,
    ])
  })

  test('reports once that SvelteKit reads no .env, for several files', async () => {
    const source = `import { SvelteKitAuth } from '@auth/sveltekit'`
    const { printed } = await run('migrate-imports', folderWith({ 'a.ts': source, 'b.ts': source }))
    const notes = printed.filter((line) => line.includes('does not read .env'))
    expect(notes).toEqual([expect.stringContaining('a.ts:1: ')])
  })

  test('reports version 4', async () => {
    const folder = folderWith({
      'package.json': `{ "dependencies": {\n"next-auth": "~4.24.0",\n"@next-auth/prisma-adapter": "1.0.7" } }`,
    })
    const { text } = await run('migrate-imports', folder)
    expect(text).toContain('package.json:2: next-auth is installed in version 4')
    expect(text).toContain('package.json:3: @next-auth/prisma-adapter is an adapter of version 4')
  })

  test('lists where a project uses @sidebase/nuxt-auth', async () => {
    const handler = `import GithubProvider from 'next-auth/providers/github'\nimport { NuxtAuthHandler } from '#auth'\n`
    const folder = folderWith({
      'package.json': `{ "dependencies": { "@sidebase/nuxt-auth": "^1.0.0" } }`,
      'nuxt.config.ts': `export default defineNuxtConfig({\n  modules: ['@sidebase/nuxt-auth'],\n})\n`,
      'server/api/auth/[...].ts': handler,
      'server/own.ts': `import { verify } from '#auth'\n`,
    })
    const { text } = await run('migrate-imports', folder)
    const replaced = '@sidebase/nuxt-auth is replaced by lib-auth/nuxt and lib-auth/vue'
    expect(text).toContain('package.json:1: @sidebase/nuxt-auth is installed.')
    expect(text).toContain(`nuxt.config.ts:2: ${replaced}`)
    expect(text).toContain(`server/api/auth/[...].ts:2: ${replaced}`)
    expect(text).toContain('next-auth/providers/github → lib-auth/providers/github')
    expect(text).not.toContain('own.ts')
  })
})

describe('the command line', () => {
  test.each([[['--help']], [['-h']], [['help']]])('%j lists every command', async (words) => {
    const { code, text, stderr } = await run(...words)
    expect(text).toMatch(/^Usage: lib-auth <command>/)
    for (const name of COMMANDS) expect(text).toMatch(new RegExp(`^  ${name}\\b`, 'm'))
    expect([code, stderr]).toEqual([0, []])
  })

  test.each(COMMANDS)('help %s and %s --help print the options of the command', async (name) => {
    const { code, printed, stderr } = await run(name, '--help')
    expect((await run('help', name)).printed).toEqual(printed)
    expect(printed[0]).toMatch(new RegExp(`^Usage: lib-auth ${name}\\b`))
    expect(printed[0]).not.toContain('<command>')
    expect(printed[0]).toContain(`Example: npx lib-auth ${name}`)
    expect(printed[0]).toContain(`command-line.md#${name}`)
    expect([code, stderr]).toEqual([0, []])
  })

  test('--version prints the version', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
    expect(await run('--version')).toMatchObject({ code: 0, printed: [version] })
  })

  test.each<[string[], string]>([
    [[], 'A command is missing.'],
    [['migrated'], 'Unknown command migrated. Did you mean migrate?'],
    [['help', 'doktor'], 'Unknown command doktor. Did you mean doctor?'],
    [['migrate', '--dryrun'], 'migrate has no option --dryrun. Did you mean --dry-run?'],
    [['doctor', '--ulr', 'x'], 'doctor has no option --ulr. Did you mean --url?'],
    [['migrate', '--url'], '--url needs a value.'],
    [['migrate', '--url', '--yes'], '--url needs a value.'],
    [['migrate', '--yes=1'], '--yes takes no value.'],
    [['migrate'], 'The database URL is missing. Set DATABASE_URL, or use --url '],
    [['migrate', '--url', 'localhost:5432'], 'The database URL must begin with postgres:, mysql:'],
    [['migrate', 'postgres://localhost'], 'Unexpected argument "postgres:'],
    [
      ['migrate', '--url', 'file:x', '--ids', 'number'],
      '--ids is "number"; it must be one of: text',
    ],
    [['migrate', '--url', 'file:x', '--table', 'users'], '--table is "users"; write it as --table'],
    [
      ['migrate', '--url', 'file:x', '--table', 'people=p'],
      'The table of --table is "people"; it must be one of: users, accounts',
    ],
    [
      ['migrate', '--url', 'file:x', '--column', 'users.mail=m'],
      'The field of users is "mail"; it must be one of: id, name, email',
    ],
    [['migrate-imports', '--url', 'file:x'], 'migrate-imports has no option --url.'],
    [['schema'], 'The adapter is missing: --adapter kysely|drizzle|prisma'],
    [['schema', '--adapter', 'redis'], '--adapter is "redis"; it must be one of: kysely, drizzle'],
    [['schema', '--adapter', 'prisma', '--ids', 'uuid'], '--ids has no effect with prisma'],
    [['add', 'githb'], 'lib-auth has no provider githb. Did you mean github?'],
    [['add', 'a', 'b'], 'Unexpected argument "b".'],
    [['toString'], 'Unknown command toString.'],
    [['migrate-imports', 'a', 'b'], 'Unexpected argument "b".'],
    [['migrate-imports', '--force'], 'migrate-imports has no option --force.'],
  ])('rejects %j', async (words, expected) => {
    const { code, printed, stderr } = await run(...words)
    expect([code, printed]).toEqual([2, []])
    expect(stderr[0]).toContain(expected)
    expect(stderr[0]).toContain('Usage: lib-auth')
  })

  test.each([
    ['a folder that does not exist', 'nowhere', /nowhere does not exist\./],
    ['a file', 'auth.ts', /auth\.ts is not a folder\./],
  ])('rejects %s', async (_name, name, expected) => {
    const folder = folderWith({ 'auth.ts': AUTH })
    const { code, printed, stderr } = await run('migrate-imports', join(folder, name))
    expect([code, printed]).toEqual([2, []])
    expect(stderr.join('\n')).toMatch(expected)
    expect(contentOf(folder)).toEqual({ 'auth.ts': AUTH })
  })
})

test('secret --print prints a new secret each time and writes nothing', async () => {
  const folder = folderWith({ '.env.local': 'AUTH_SECRET=mine' })
  const before = process.cwd()
  process.chdir(folder)
  try {
    const first = await run('secret', '--print')
    expect([first.code, first.printed]).toEqual([0, [expect.stringMatching(/^[\w-]{43}$/)]])
    expect((await run('secret', '--print')).printed).not.toEqual(first.printed)
  } finally {
    process.chdir(before)
  }
  expect(contentOf(folder)).toEqual({ '.env.local': 'AUTH_SECRET=mine' })
})
