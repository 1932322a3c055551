import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { describe, expect, test } from 'vitest'
import { Auth } from '../../src/index.ts'
import * as errors from '../../src/errors.ts'
import { errorTable, findErrorRow } from '../../src/core/errors/table.ts'

type ErrorClass = new (
  message?: string | errors.ErrorOptions,
  options?: errors.ErrorOptions,
) => errors.AuthError

const root = new URL('../../', import.meta.url)
const docs = readFileSync(new URL('docs/errors.md', root), 'utf8')

/** The sections of docs/errors.md by heading. */
const sections = new Map(
  docs
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [heading = '', ...lines] = section.trimEnd().split('\n')
      return [heading, lines.join('\n')]
    }),
)

const types = Object.keys(errorTable).sort()
const rows = Object.entries(errorTable)

/** Rows for errors with a code that the library defines. */
const coded = new Map([
  [
    'EmailSignInError',
    findErrorRow(new errors.EmailSignInError('No.', { code: 'invalid_address' })),
  ],
])

function isClass(value: unknown): value is ErrorClass & { type: string; kind: string } {
  return typeof value === 'function' && value.prototype instanceof errors.AuthError
}

/** Every error class except the two base classes, by its exported name. */
const exported: [string, unknown][] = Object.entries(errors)
const classes = exported.flatMap(([name, value]) =>
  isClass(value) && Object.hasOwn(value, 'type') && name !== 'MissingSecret'
    ? [[name, value] as const]
    : [],
)

function anchorOf(type: string): string {
  return `Read more: node_modules/lib-auth/docs/errors.md#${type.toLowerCase()}`
}

describe('docs/errors.md', () => {
  test('has one section per type, in alphabetical order', () => {
    expect([...sections.keys()]).toEqual(types)
  })

  test.each(rows)(
    '%s: states the status, page and exposed type of the table, a cause and a fix',
    (type, row) => {
      const exposed =
        row.type === 'exposed' ? type : row.retryable ? 'TemporarilyUnavailable' : 'Configuration'
      const other = coded.get(type)
      const also = other ? ` (${other.status} with the code \`${other.code}\`)` : ''
      const lines = sections.get(type)?.split('\n') ?? []
      expect(lines.at(-1)).toBe(
        `Status ${row.status}${also} · page ${row.page} · shown to the browser as ${exposed}`,
      )
      expect(lines.filter((line) => line.startsWith('**Usual cause:** '))).toHaveLength(1)
      expect(lines.filter((line) => line.startsWith('**Fix:** '))).toHaveLength(1)
    },
  )

  test('marks the types that are never thrown as reserved', () => {
    const source = readdirSync(new URL('src', root), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file))
      .map((file) => readFileSync(new URL(`src/${file}`, root), 'utf8'))
      .join('\n')
    const reserved = types.filter((type) => sections.get(type)?.includes('*Reserved.*'))
    expect(reserved).toEqual(types.filter((type) => !source.includes(`new ${type}(`)))
  })

  const configured = rows.filter(([, row]) => row.status === 500 && row.page === 'none')
  const names = [...configured.map(([type]) => type), 'InvalidCallbackUrl']
  test.each(names)('%s: shows the code of the fix', (type) => {
    expect(sections.get(type)).toMatch(/^```(?:ts|js|html)\n[^]+?^```$/m)
  })
})

describe('the classes', () => {
  test('are the types of the table, each exported under its name', () => {
    expect(classes.map(([name]) => name).sort()).toEqual(types)
    expect(errors.MissingSecret).toBe(errors.MissingSecretError)
  })

  test.each(classes)('%s: matches its row and links to its section', (name, Class) => {
    const row = errorTable[name as keyof typeof errorTable]
    const error = new Class('It broke.')
    expect(error).toBeInstanceOf(Error)
    expect([Class.type, error.type, error.name]).toEqual([name, name, name])
    expect([Class.kind, error.kind]).toEqual(
      row.page === 'signIn' ? ['signIn', 'signIn'] : ['error', 'error'],
    )
    expect(error instanceof errors.SignInError).toBe(row.page === 'signIn')
    expect(error.message).toBe(`It broke. ${anchorOf(name)}`)
    // Applications throw this class without a message.
    const own = name === 'CredentialsSignin' ? 'The credentials were rejected. ' : ''
    expect(new Class().message).toBe(own + anchorOf(name))
    expect(errors.isClientError(error)).toBe(row.type === 'exposed')
  })

  test('keep their names when a bundler renames them', async () => {
    const { outputFiles } = await build({
      entryPoints: [fileURLToPath(new URL('src/errors.ts', root))],
      bundle: true,
      minify: true,
      write: false,
      format: 'esm',
    })
    const code = outputFiles[0]?.text ?? ''
    expect(code).not.toContain('class AccessDenied')
    const bundled = (await import(`data:text/javascript;base64,${btoa(code)}`)) as typeof errors
    const broken = Object.entries(bundled).filter(
      ([name, value]) => isRenamed(value, bundled.AuthError) && new value().name !== name,
    )
    expect(broken.map(([name]) => name)).toEqual(['MissingSecret'])
  })
})

function isRenamed(value: unknown, base: typeof errors.AuthError): value is ErrorClass {
  return (
    typeof value === 'function' && value.prototype instanceof base && Object.hasOwn(value, 'type')
  )
}

describe('an error', () => {
  const inner = new Error('inner')

  test.each<[string, ConstructorParameters<typeof errors.AuthError>, string, unknown]>([
    ['no arguments', [], '', undefined],
    ['a message', ['It broke.'], 'It broke.', undefined],
    ['a message and an error', ['It broke.', inner], 'It broke.', { err: inner }],
    ['a message and a cause', ['It broke.', { cause: inner }], 'It broke.', { err: inner }],
    ['a message and details', ['It broke.', { provider: 'x' }], 'It broke.', { provider: 'x' }],
    [
      'a message, a cause and details',
      ['It broke.', { cause: inner, provider: 'x' }],
      'It broke.',
      { err: inner, provider: 'x' },
    ],
    [
      'a cause that holds details',
      ['It broke.', { cause: { err: inner, provider: 'x' } }],
      'It broke.',
      { err: inner, provider: 'x' },
    ],
    ['an error', [inner], '', { err: inner }],
    ['an error and details', [inner, { provider: 'x' }], '', { err: inner, provider: 'x' }],
    ['details', [{ cause: inner, provider: 'x' }], '', { err: inner, provider: 'x' }],
    ['an empty object', [{}], '', undefined],
  ])('can be created with %s', (_name, parameters, message, cause) => {
    const error = new errors.AuthError(...parameters)
    expect(error.message).toBe(
      `${message && `${message} `}Read more: node_modules/lib-auth/docs/errors.md#autherror`,
    )
    expect(error.cause).toEqual(cause)
  })

  test('created from another AuthError keeps its cause and details', () => {
    const original = new errors.InvalidCheck('No.', { cause: inner, provider: 'x' })
    expect(new errors.AuthError(original).cause).toEqual({ err: inner, provider: 'x' })
  })

  test('created from an error with a cause keeps that error', () => {
    const outer = new Error('outer', { cause: inner })
    const { cause } = new errors.AuthError(outer)
    expect(cause?.err).toBe(outer)
    expect(cause?.err?.cause).toBe(inner)
  })

  test('adds the missing full stop before the link', () => {
    expect(new errors.AuthError('It broke').message).toBe(
      'It broke. Read more: node_modules/lib-auth/docs/errors.md#autherror',
    )
    expect(new errors.AuthError('Why?').message).toBe(
      'Why? Read more: node_modules/lib-auth/docs/errors.md#autherror',
    )
  })

  test('with the message that the signIn callback threw repeats it unchanged', () => {
    const cause = new Error('Not on Sundays')
    expect(new errors.AccessDenied(cause.message, { cause }).message).toBe('Not on Sundays')
    expect(new errors.AccessDenied('Not on Sundays').message).toBe(
      `Not on Sundays. ${anchorOf('AccessDenied')}`,
    )
    expect(new errors.AccessDenied('', { cause: new Error('') }).message).toBe(
      anchorOf('AccessDenied'),
    )
  })

  test('of a subclass has the name of the subclass and the type of its base class', () => {
    class SecondFactorNeeded extends errors.CredentialsSignin {
      override code = 'second_factor'
    }
    const error = new SecondFactorNeeded()
    expect([error.name, error.type, error.kind, error.code]).toEqual([
      'SecondFactorNeeded',
      'CredentialsSignin',
      'signIn',
      'second_factor',
    ])
    expect(error).toBeInstanceOf(errors.CredentialsSignin)
    expect(errors.isClientError(error)).toBe(true)
  })
})

test.each<[string, unknown]>([
  ['another error', new Error('x')],
  ['another error with the same type', Object.assign(new Error('x'), { type: 'AccessDenied' })],
  ['an object with the same type', { type: 'AccessDenied' }],
  ['null', null],
  ['the base class', new errors.AuthError('x')],
])('isClientError returns false for %s', (_name, value) => {
  expect(errors.isClientError(value)).toBe(false)
})

test('the errors of the library end with a link to the documentation', async () => {
  const messages: string[] = []
  const logger = { error: (error: Error) => void messages.push(error.message) }
  await Auth(new Request('https://app.test/auth/signin'), { logger })
  await Auth(new Request('https://app.test/nothing'), {
    logger,
    secret: 'x'.repeat(32),
    trustHost: true,
  })
  expect(messages).toHaveLength(2)
  for (const message of messages) {
    const [, anchor = ''] =
      / Read more: node_modules\/lib-auth\/docs\/errors\.md#(\w+)$/.exec(message) ?? []
    expect([...sections.keys()].map((type) => type.toLowerCase())).toContain(anchor)
  }
})
