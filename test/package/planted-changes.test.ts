/** Each kind of change of the contract is classified as the release that it needs. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import {
  compareApis,
  compareContracts,
  compareReleases,
  findUnannounced,
  levelOf,
} from '../../tools/contract.mjs'

const root = new URL('../../', import.meta.url)
const read = (file: string) => readFileSync(new URL(file, root), 'utf8')
const api = read('etc/api.txt')
const contract: unknown = JSON.parse(read('etc/contract.json'))

type Value = Readonly<Record<string, unknown>>

const isValue = (value: unknown): value is Value => typeof value === 'object' && value !== null

/** A copy with another value at the end of the path; `undefined` removes it. */
function change(
  value: unknown,
  [name, ...path]: string[],
  to: (before: unknown) => unknown,
): Value {
  const given = isValue(value) ? value : {}
  const [first = ''] = [name]
  return { ...given, [first]: path.length > 0 ? change(given[first], path, to) : to(given[first]) }
}

const added = (more: unknown) => (before: unknown) => [
  ...(Array.isArray(before) ? before : []),
  more,
]
const reversed = (before: unknown) => (Array.isArray(before) ? before.toReversed() : before)
const gone = () => undefined
const be = (value: unknown) => () => value

test.each<[string, string, string, (before: unknown) => unknown]>([
  ['a renamed cookie', 'major', 'cookies.secure.sessionToken.name', be('x')],
  ['another attribute of a cookie', 'major', 'cookies.plain.csrfToken.sameSite', be('none')],
  ['a new cookie', 'minor', 'cookies.secure.further', be({ name: 'x' })],
  ['a route that is gone', 'major', 'routes.step-up', gone],
  ['a method that is gone', 'major', 'routes.session', be(['GET'])],
  ['a new route', 'minor', 'routes.further', be(['GET'])],
  ['another status of an error', 'major', 'errors.AccessDenied.status', be(400)],
  ['a new error', 'minor', 'errors.Further', be({ status: 400 })],
  ['a variable that is gone', 'major', 'environment.secret', be(['AUTH_SECRET'])],
  ['another precedence', 'major', 'environment.url', reversed],
  ['a further variable', 'minor', 'environment.trustHost', added('FURTHER')],
  ['another default', 'major', 'defaults.SESSION_MAX_AGE', be(1)],
  ['a tighter limit', 'major', 'defaults.limits.password.rate.burst', be(1)],
  ['a required column', 'major', 'schema.users.columns.role', be({ type: 'text' })],
  [
    'a nullable column',
    'minor',
    'schema.users.columns.role',
    be({ type: 'text', isNullable: true }),
  ],
  ['another type of a column', 'major', 'schema.users.columns.name.type', be('key')],
  ['a unique constraint', 'major', 'schema.users.unique', added('name')],
  ['an index', 'minor', 'schema.sessions.indexes', added('sessionToken')],
  ['a new table', 'minor', 'schema.further', be({ name: 'further', columns: {} })],
  ['another identity key', 'major', 'schema.accounts.key', be(['userId'])],
  ['an option of a command that is gone', 'major', 'cli.doctor.options', be(['config'])],
  ['a new command', 'minor', 'cli.further', be({ argument: null, options: [] })],
])('%s is a %s change', (_name, level, path, to) => {
  const changes = compareContracts(contract, change(contract, path.split('.'), to))
  expect(changes).not.toEqual([])
  expect(levelOf(changes)).toBe(level)
})

test.each<[string, string, RegExp, string]>([
  ['an export that is gone', 'major', /^ {2}getSession\n/m, ''],
  ['a subpath that is gone', 'major', /^lib-auth\/hono\n(?: {2}.*\n)+/m, ''],
  ['a new export', 'minor', /^ {2}getSession\n/m, '  getSession\n  further\n'],
  [
    'a new optional option',
    'minor',
    /^( *)(interface AuthConfig \{)\n/m,
    '$1$2\n    further?: string;\n',
  ],
  [
    'a new required option',
    'major',
    /^( *)(interface AuthConfig \{)\n/m,
    '$1$2\n    further: string;\n',
  ],
  ['an option that is gone', 'major', /^ *trustHost\?: .*\n/m, ''],
  [
    'another type of a result',
    'major',
    /readonly scope: readonly string\[\];/,
    'readonly scope: string;',
  ],
  [
    'a required member of a result',
    'major',
    /readonly scope: readonly string\[\];/,
    '$&\n    readonly further: string;',
  ],
  ['an augmentation that is gone', 'major', /^interface FastifyRequest .*\n\}\n\n/m, ''],
  ['a new augmentation', 'minor', /^interface FastifyRequest /m, 'interface Further {\n}\n\n$&'],
  [
    'a declaration of another kind',
    'major',
    /^interface FactorUse \{[^}]*\}/m,
    'type FactorUse = string;',
  ],
])('%s of the types is a %s change', (_name, level, before, after) => {
  const planted = api.replace(before, after)
  expect(planted).not.toBe(api)
  expect(levelOf(compareApis(api, planted))).toBe(level)
})

test.each<[string, string, string, string, (before: unknown) => unknown]>([
  ['a runtime that is gone', 'major', 'etc/support.json', 'Deno', gone],
  [
    'a version of Node.js that is gone',
    'major',
    'etc/support.json',
    'Node.js.versions',
    be(['24']),
  ],
  ['a framework that is gone', 'major', 'etc/support.json', 'Astro', gone],
  [
    'a major of a framework that is gone',
    'major',
    'etc/support.json',
    'Next.js.oldest',
    be(['16']),
  ],
  ['a higher lower bound', 'major', 'etc/support.json', 'Hono.oldest', be(['4.7'])],
  ['a higher minimum of TypeScript', 'major', 'etc/support.json', 'TypeScript.oldest', be(['5.5'])],
  ['a lower bound that sinks', 'minor', 'etc/support.json', 'Hono.oldest', be(['4.5'])],
  ['a lower bound that is no longer stated', 'major', 'etc/support.json', 'Express.oldest', gone],
  ['a further major', 'minor', 'etc/support.json', 'Nuxt.oldest', added('5')],
  ['a newer tested version', 'patch', 'etc/support.json', 'Hono.versions', be(['4.99.0', '4.6.0'])],
  [
    'another tested version of a driver',
    'patch',
    'etc/support.json',
    'mysql2.versions',
    be(['3.9']),
  ],
  ['a higher minimum of Node.js', 'major', 'package.json', 'engines.node', be('>=22')],
  ['a narrower range of a peer', 'major', 'package.json', 'peerDependencies.next', be('>=16')],
  ['a peer that has to be installed', 'major', 'package.json', 'peerDependenciesMeta.pg', gone],
  [
    'a new peer that has to be installed',
    'major',
    'package.json',
    'peerDependencies.further',
    be('*'),
  ],
  ['a new engine', 'major', 'package.json', 'engines.npm', be('>=10')],
  ['another version', 'patch', 'package.json', 'version', be('9.9.9')],
])('%s is a %s change', (_name, level, file, path, to) => {
  // Such as Next.js.oldest: names contain dots.
  const [, ...names] = /^(.*?)(?:\.([a-z]\w*))?$/.exec(path) ?? []
  const before: unknown = JSON.parse(read(file))
  const planted = JSON.stringify(change(before, names.filter(Boolean), to))
  expect(JSON.parse(planted)).not.toEqual(before)
  const changes = compareReleases(read, (each: string) => (each === file ? planted : read(each)))
  expect(levelOf(changes)).toBe(level)
  expect(findUnannounced(changes, { previous: '0.1.0', next: '0.1.1' })).toEqual(
    level === 'patch' ? [] : changes,
  )
})

test('a new peer that is optional is a minor change', () => {
  const { peerDependencies, peerDependenciesMeta, ...manifest } = JSON.parse(read('package.json'))
  const planted = JSON.stringify({
    ...manifest,
    peerDependencies: { ...peerDependencies, further: '*' },
    peerDependenciesMeta: { ...peerDependenciesMeta, further: { optional: true } },
  })
  const changes = compareReleases(read, (file: string) =>
    file === 'package.json' ? planted : read(file),
  )
  expect(levelOf(changes)).toBe('minor')
})

test('without a change, every version is announced, and nothing is reported', () => {
  const changes = compareReleases(read, read)
  expect(changes).toEqual([])
  expect(findUnannounced(changes, { previous: '0.1.0', next: '0.1.1' })).toEqual([])
})

test.each([
  ['0.1.0', '0.1.1', 'a break of types', false],
  ['0.1.0', '0.2.0', 'a break of types', true],
  ['0.1.0', '0.2.0', 'cookies.secure.sessionToken.name: "a" became "b"', false],
  ['0.9.0', '1.0.0', 'cookies.secure.sessionToken.name: "a" became "b"', true],
  ['1.0.0', '1.1.0', 'a break of types', false],
  ['1.4.2', '2.0.0', 'a break of types', true],
])('from %s to %s, "%s" is announced: %s', (previous, next, what, isAnnounced) => {
  const found = findUnannounced([{ level: 'major', what }], { previous, next })
  expect(found.length === 0).toBe(isAnnounced)
})

test.each([
  ['0.1.0', '0.1.1', false],
  ['1.0.0', '1.0.1', false],
  ['1.0.0', '1.1.0', true],
])('from %s to %s, an addition is announced: %s', (previous, next, isAnnounced) => {
  const found = findUnannounced([{ level: 'minor', what: 'x' }], { previous, next })
  expect(found.length === 0).toBe(isAnnounced)
})

test('a patch changes a default only for an advisory', () => {
  const changes = [{ level: 'major', what: 'defaults.trustHost: true became false' }]
  const find = (exceptions: object) =>
    findUnannounced(changes, { previous: '0.1.0', next: '0.1.1', exceptions })
  expect(find({ [changes[0]?.what ?? '']: 'GHSA-2222-3333-4444' })).toEqual([])
  expect(find({ [changes[0]?.what ?? '']: 'it is better' })).toEqual(changes)
  expect(find({ 'defaults.other: 1 became 2': 'GHSA-2222-3333-4444' })).toEqual(changes)
})
