/** `doctor` validates its arguments, prints its findings, and never prints a secret. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { applicationWith, cleanUp, runDoctor, GOOD_SECRET, PROGRAM } from './run-doctor.ts'

afterAll(cleanUp)

describe('arguments', () => {
  test.each([
    [['--config', 'nowhere.ts'], '--config nowhere.ts does not exist.'],
    [
      ['--url', 'app.test'],
      '--url app.test is not an http or https URL such as https://example.com.',
    ],
    [['--url', 'ftp://app.test'], '--url ftp://app.test is not an http or https URL'],
    [['--verbose'], 'doctor has no option --verbose.'],
    [['here'], 'Unexpected argument "here".'],
  ])('rejects %j', async (words, expected) => {
    const { code, text, stderr } = await runDoctor(applicationWith({}), words)
    expect([code, text]).toEqual([2, ''])
    expect(stderr).toContain(expected)
    expect(stderr).toContain('Usage: lib-auth doctor [options]')
  })
})

describe('output', () => {
  const page = readFileSync('docs/reference/command-line.md', 'utf8')
  const block = (language: string) =>
    new RegExp(`\`\`\`${language}\n([^]*?)\n\`\`\``).exec(page)?.[1] ?? ''

  test('matches the documentation', async () => {
    const folder = applicationWith({ 'auth.ts': block('ts'), '.env.local': block('ini') })
    const { text, stderr, code } = await runDoctor(folder)
    const withoutVersions = (printed: string) =>
      printed.replace(/(?<= )\d+\.\d+\.\d+/g, '<version>')
    expect(withoutVersions(text)).toBe(withoutVersions(`${block('text')}\n`))
    expect([code, stderr]).toEqual([1, ''])
  })

  test('is one JSON object with --json', async () => {
    const folder = applicationWith({
      'auth.mjs': `console.log('a line of the application')
        export const config = { providers: [], secret: 'hunter2' }`,
    })
    const { text, code } = await runDoctor(folder, ['--json'], { AUTH_URL: 'http://app.test' })
    const { errors, warnings, findings } = JSON.parse(text)
    expect([errors, warnings, code]).toEqual([2, 1, 1])
    expect(findings).toContainEqual({
      level: 'error',
      about: 'secret',
      what: 'secret of the configuration has 7 of 32 bytes and can be guessed.',
      write: 'Replace it with 32 random bytes: npx lib-auth secret --print',
    })
    expect(findings).toContainEqual({
      level: 'ok',
      about: 'base path',
      what: '/auth (default).',
    })
  })

  test('contains no control characters from the application', async () => {
    const folder = applicationWith({
      'auth.mjs': `export const config = { providers: [
        { id: 'op', name: '\\x1b[2JOP', type: 'oauth', authorization: 'https://op.test' }] }`,
    })
    const { text } = await runDoctor(folder)
    expect(text).toContain('Set AUTH_OP_ID to the value from \\x1b[2JOP.')
    expect(text).not.toContain('\u001b')
  })
})

test('ends without an error when the reader closes the pipe', async () => {
  const folder = applicationWith({})
  const command = `"${process.execPath}" "${PROGRAM}" doctor 2>&1 >/dev/full | head -1`
  expect(execFileSync('sh', ['-c', command], { cwd: folder, encoding: 'utf8' })).toBe('')
})

describe('secrets', () => {
  const SECRETS = [
    'hunter-one-1',
    'hunter-two-2',
    'hunter-three-3',
    'hunter-four-4',
    'hunter-five-5',
  ]
  let printed: string[]
  beforeAll(async () => {
    const [one, two, three, four, five] = SECRETS
    const env = {
      AUTH_SECRET: `${one}`,
      AUTH_SECRET_1: `${one} ${GOOD_SECRET}`,
      AUTH_GITHUB_ID: `${two}`,
      AUTH_GITHUB_SECRET: ` ${three}`,
      DATABASE_URL: `postgres://ada:${four}@db.test/app`,
      API_KEY: `${five}`,
    }
    const all =
      '[AUTH_SECRET, AUTH_SECRET_1, AUTH_GITHUB_ID, AUTH_GITHUB_SECRET, DATABASE_URL, API_KEY]'
    const readVariables = `const { ${all.slice(1, -1)} } = process.env
      const say = () => { throw new Error(${all}.join(), { cause: new Error(encodeURIComponent(${all}.join())) }) }`
    const config = (adapter: string) => `import GitHub from 'lib-auth/providers/github'
      ${readVariables}
      export const config = {
        providers: [GitHub, GitHub({ id: 'own', clientId: '${two}', clientSecret: '${three}', issuer: 'http://127.0.0.1:9', authorization: {} })],
        secret: ['${four}', '${five}'], jwt: { secret: '${one}' },
        fetch: say,
        adapter: ${adapter},
      }`
    const folder = applicationWith({
      'module.mjs': `${readVariables}; say()`,
      'adapter.mjs': config('say'),
      'issuer.mjs': config('undefined').replace(
        'GitHub, ',
        `{ id: 'op', name: 'OP', type: 'oidc', issuer: 'https://op.test' }, `,
      ),
      'none.mjs': 'export default 1',
    })
    const files = ['module.mjs', 'adapter.mjs', 'issuer.mjs', 'none.mjs']
    const runs = files.flatMap((file) => [
      ['--config', file],
      ['--config', file, '--json'],
    ])
    const found = await Promise.all(runs.map((words) => runDoctor(folder, words, env)))
    printed = found.map(({ text, stderr }) => text + stderr)
  })

  test('are redacted in error messages of the application', () => {
    expect(printed.filter((text) => text.includes('[redacted]'))).toHaveLength(6)
    expect(printed.filter((text) => text.includes('AUTH_SECRET'))).toHaveLength(4)
  })

  test.each(SECRETS)('are not printed: %s', (secret) => {
    expect(printed.filter((text) => text.includes(secret))).toEqual([])
    expect(printed.filter((text) => text.includes(encodeURIComponent(secret)))).toEqual([])
  })
})
