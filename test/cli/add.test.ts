/** `add` in a folder. */
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { expect, test } from 'vitest'
import { shippedProviders } from '../../src/cli/migrate-imports/replacements.ts'
import { programIn } from './program.ts'

test('prints the page of the provider as plain text', () => {
  const { status, stdout, stderr } = programIn().start('add', 'apple')
  expect([status, stderr]).toEqual([0, ''])
  expect(stdout).toMatch(/^Apple\n/)
  expect(stdout).toContain(`  Import          import Apple from 'lib-auth/providers/apple'\n`)
  expect(stdout).toContain('https://<your site>/api/auth/callback/apple')
  expect(stdout).toContain('\nExample\n\n  import Apple')
  expect(stdout).toContain('(node_modules/lib-auth/docs/guides/override-provider.md)')
  expect(stdout).not.toMatch(/^[#|]|`|<!--|\]\(/m)
  const prose = stdout.split('\n').filter((line) => line !== '' && !line.startsWith('  '))
  for (const line of prose) expect(line.length).toBeLessThanOrEqual(90)
})

test('lists for e-mail what it needs, and every provider that sends mails', async () => {
  const { run } = programIn()
  const { stdout } = await run('add', 'email', '--dry-run')
  expect(stdout).not.toMatch(/create an account|register your site/i)
  const text = stdout.replace(/\s+/g, ' ')
  for (const needed of ['2. from: an address', '3. adapter in the configuration', 'EMAIL_SERVER='])
    expect(text).toContain(needed)
  expect(text).toContain(
    'sendVerificationRequest (node_modules/lib-auth/docs/guides/custom-email.md)',
  )
  const pages = new URL('../../docs/providers/', import.meta.url)
  const senders = readdirSync(pages).filter((file) =>
    readFileSync(new URL(file, pages), 'utf8').includes('| Type | Magic link or code by e-mail |'),
  )
  expect(senders.length).toBeGreaterThan(5)
  for (const file of senders) expect(text).toContain(file.replace('.md', ''))
})

test('accepts the name of the provider in any case', async () => {
  expect((await programIn().run('add', 'GitHub', '--dry-run')).stdout).toMatch(/^GitHub\n/)
})

test('adds the variables without a value to a file that only the user can read', async () => {
  const { run, read, pathOf } = programIn()
  const { status, stdout } = await run('add', 'github')
  expect(status).toBe(0)
  expect(stdout).toMatch(
    /\nAdded to \.env\.local, without a value: AUTH_GITHUB_ID, AUTH_GITHUB_SECRET\.\nSet them as described above\.\nAdd \.env\.local to \.gitignore: .*\n$/,
  )
  expect(read('.env.local')).toBe('AUTH_GITHUB_ID=\nAUTH_GITHUB_SECRET=\n')
  expect(statSync(pathOf('.env.local')).mode & 0o777).toBe(0o600)
})

test('adds nothing the second time', async () => {
  const { run, read } = programIn()
  await run('add', 'github')
  const { status, stdout } = await run('add', 'github')
  expect(status).toBe(0)
  expect(stdout).toContain('.env.local contains AUTH_GITHUB_ID already and was not changed.\n')
  expect(stdout).not.toContain('Added')
  expect(read('.env.local')).toBe('AUTH_GITHUB_ID=\nAUTH_GITHUB_SECRET=\n')
})

test('keeps existing variables, also those of other files that an empty value would hide', async () => {
  const { run, read } = programIn({
    '.env.local': 'AUTH_AUTH0_ID="mine"\r\nOTHER=1',
    '.env.production': 'AUTH_AUTH0_SECRET=production\n',
    '.env': 'AUTH_AUTH0_ISSUER=\n',
    '.gitignore': '.env*.local\n',
  })
  const { stdout } = await run('add', 'auth0')
  expect(stdout.split('\n').slice(-5)).toEqual([
    '.env.local contains AUTH_AUTH0_ID already and was not changed.',
    '.env.production contains AUTH_AUTH0_SECRET already and was not changed.',
    'Added to .env.local, without a value: AUTH_AUTH0_ISSUER.',
    'Set them as described above.',
    '',
  ])
  expect(read('.env.local')).toBe('AUTH_AUTH0_ID="mine"\r\nOTHER=1\nAUTH_AUTH0_ISSUER=\n')
})

test('--dry-run writes nothing', async () => {
  const { run, pathOf } = programIn()
  const { status, stdout } = await run('add', 'resend', '--dry-run')
  expect(status).toBe(0)
  expect(stdout).toMatch(/\nWould add to \.env\.local: AUTH_RESEND_KEY\. Nothing was written\.\n$/)
  expect(existsSync(pathOf('.env.local'))).toBe(false)
})

test.each([
  ['x', /^lib-auth has no provider x\. Did you mean twitter\?\n/],
  ['azure', /^lib-auth has no provider azure\. Did you mean microsoft-entra-id\?\n/],
  ['osso', /^lib-auth has no provider osso\. No release of Osso .*\. Use instead: BoxyHQ SAML, /],
  ['credentials', /^lib-auth has no provider credentials\. .*docs\/guides\/credentials\.md\n/],
  ['password', /^lib-auth has no provider password\. .*docs\/guides\/passwords\.md\n/],
  ['passkey', /^lib-auth has no provider passkey\. .*docs\/guides\/passkeys\.md\n/],
  ['githb', /^lib-auth has no provider githb\. Did you mean github\?\n/],
  ['../../README', /^lib-auth has no provider \.\.\/\.\.\/README\.\n/],
  ['readme', /^lib-auth has no provider readme\./],
])('rejects the unknown provider %s', async (name, expected) => {
  const { status, stdout, stderr } = await programIn().run('add', name)
  expect([status, stdout]).toEqual([2, ''])
  expect(stderr).toMatch(expected)
  expect(stderr).toContain('All providers: npx lib-auth add\n')
})

test('without a name lists every provider', async () => {
  const { run, pathOf } = programIn()
  const { status, stdout } = await run('add')
  expect(status).toBe(0)
  const names = stdout.split('\n').flatMap((line) => line.split(' ')[0] || [])
  expect(new Set(['credentials', 'passkey', 'webauthn', ...names])).toEqual(shippedProviders())
  expect(stdout).toMatch(/^microsoft-entra-id +Microsoft Entra ID$/m)
  expect(existsSync(pathOf('.env.local'))).toBe(false)
})

test('reports in one line that the file cannot be written', async () => {
  const { status, stderr } = await programIn({ '.env.local/file': '' }).run('add', 'github')
  expect(status).toBe(1)
  expect(stderr).toMatch(/^\.env\.local was not changed: EISDIR.*\n$/)
})

test.each([['--dry-run'], []])(
  'reports a folder without a project, and what to do %s',
  async (...options) => {
    const { run, pathOf } = programIn()
    rmSync(pathOf('package.json'))
    const { status, stdout, stderr } = await run('add', 'github', ...options)
    expect(status).toBe(1)
    expect(stdout).toMatch(/^GitHub\n/)
    expect(stderr).toMatch(
      /^\.env\.local was not changed: \/.* has no package\.json\. Run this command in the folder of your application, or create one with: npm init\n$/,
    )
    expect(existsSync(pathOf('.env.local'))).toBe(false)
  },
)

test.each(['deno.json', 'deno.jsonc'])('accepts a project with %s', async (file) => {
  const { run, read, pathOf } = programIn()
  renameSync(pathOf('package.json'), pathOf(file))
  expect((await run('add', 'resend')).status).toBe(0)
  expect(read('.env.local')).toBe('AUTH_RESEND_KEY=\n')
})

test.each<[string, Record<string, string>]>([
  ['http://localhost:3000/auth/callback/github', {}],
  [
    'http://localhost:3000/api/auth/callback/github',
    { 'package.json': '{ "dependencies": { "next": "16.0.0" } }' },
  ],
  [
    'http://localhost:4100/api/auth/callback/github',
    {
      'package.json':
        '{ "scripts": { "dev": "next dev -p 4100" }, "dependencies": { "next": "16.0.0" } }',
    },
  ],
  [
    'http://localhost:5173/auth/callback/github',
    { 'package.json': '{ "devDependencies": { "@sveltejs/kit": "2.0.0" } }' },
  ],
  [
    'https://app.test/api/auth/callback/github',
    {
      'auth.ts': "import Lib from 'lib-auth/next'\nexport const { handlers } = Lib({})",
      '.env': 'AUTH_URL=https://app.test',
    },
  ],
  ['https://app.test/sign/callback/github', { '.env': 'AUTH_URL=https://app.test/sign/' }],
  [
    'https://app.test/own/callback/github',
    {
      'src/auth.ts':
        "import Lib from 'lib-auth/express'\nLib({ basePath: '/own/', providers: [] })",
      '.env': 'AUTH_URL=https://app.test/sign',
    },
  ],
  [
    'http://localhost:3000/auth/callback/github',
    { 'auth.ts': "// basePath: '/old', from 'lib-auth/next'\nimport Lib from 'lib-auth/hono'" },
  ],
])('prints the callback URL %s of the application', async (expected, files) => {
  const { stdout } = await programIn(files).run('add', 'github', '--dry-run')
  expect(stdout).toContain(`\nCallback URL of this application: ${expected}\n`)
})

test('prints no callback URL for a provider that has none', async () => {
  expect((await programIn().run('add', 'resend', '--dry-run')).stdout).not.toContain('Callback URL')
})

test.each([
  [
    'google',
    "Google({ authorization: { params: { access_type: 'offline', prompt: 'consent' } } })",
  ],
  [
    'auth0',
    "Auth0({ authorization: { params: { scope: 'openid profile email offline_access' } } })",
  ],
  ['slack', 'turn on token rotation in the settings'],
])('prints what %s needs for a refresh token', async (name, line) => {
  const { stdout } = await programIn().run('add', name, '--dry-run')
  expect(stdout).toContain('\nRefresh token\n')
  expect(stdout).toContain(line)
})

test.each(['github', 'line'])(
  'prints no such line for %s, which needs or has nothing',
  async (name) => {
    expect((await programIn().run('add', name, '--dry-run')).stdout).not.toContain(
      '\nRefresh token\n',
    )
  },
)
