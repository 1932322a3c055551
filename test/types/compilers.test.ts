/** An application compiles with the oldest supported compiler and with the newest. */
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { compileWith, compileWithOurs } from './compile.ts'

const APPLICATION = ['auth.ts', 'client.tsx', 'core.ts', 'same.ts', 'server.ts']
const NODE = { module: 'NodeNext', moduleResolution: 'NodeNext' }

/** Limit of type instantiations for an application with ten providers. */
const MOST_INSTANTIATIONS = 50_000

const WRONG = `
import Lib from 'lib-auth/next'
const { auth } = Lib({
  callbacks: { session: ({ session }) => ({ ...session, role: 'admin' as const }) },
})
export const role = async (): Promise<'guest' | undefined> => (await auth())?.role
`

const LOOSE = `
import Lib from 'lib-auth/next'
const { auth } = Lib({
  callbacks: {
    session({ session, token }) {
      return { ...session, role: token.sub ? ('admin' as const) : ('guest' as const) }
    },
  },
})
export const role = async (): Promise<'admin' | 'guest'> => (await auth()).role
`

const RELEASES = new URL('../upgrade/', import.meta.url)

/** The configurations of each release. */
const CONFIGURATIONS = Object.fromEntries(
  readdirSync(RELEASES)
    .filter((name) => /^\d/.test(name))
    .flatMap((version) => {
      const folder = new URL(`${version}/config/`, RELEASES)
      return readdirSync(folder).map((file) => [
        `${version}-${file}`,
        readFileSync(new URL(file, folder), 'utf8'),
      ])
    }),
)

const COMPILERS = [
  ['5.4', compileWith('5.4')],
  ['6.0', compileWith('6.0')],
  ['7.0', compileWithOurs],
] as const

describe.each(COMPILERS)('with TypeScript %s', (version, compile) => {
  test(
    'an application compiles, and a type error in it is reported',
    { timeout: 120_000 },
    async () => {
      const code = { 'wrong.ts': WRONG }
      const { problems } = await compile({ name: `${version}-bundler`, files: APPLICATION, code })
      const wrong = expect.stringMatching(/wrong\.ts: Type .*"admin".* is not assignable to type/)
      expect(problems).toEqual([wrong])
    },
  )

  test(
    'a configuration with ten providers compiles with few type instantiations',
    { timeout: 120_000 },
    async () => {
      const name = `${version}-node`
      const options = { ...NODE, skipLibCheck: true }
      const { problems, instantiations } = await compile({ name, files: APPLICATION, options })
      expect(problems).toEqual([])
      expect(instantiations).toBeGreaterThan(1000)
      expect(instantiations).toBeLessThan(MOST_INSTANTIATIONS)
    },
  )

  test('the options of protection, and each wrapper, compile', { timeout: 120_000 }, async () => {
    const files = ['protected.ts', 'wrappers.ts', 'same.ts']
    const { problems } = await compile({ name: `${version}-wrappers`, files })
    expect(problems).toEqual([])
  })

  test(
    'a CommonJS module imports the package with TypeScript 5.8 and newer',
    { timeout: 120_000 },
    async () => {
      const code = { 'common.cts': "import Lib from 'lib-auth/express'\nexport = Lib({})\n" }
      const program = { name: `${version}-common`, files: [], code, options: NODE }
      const { problems } = await compile(program)
      const rejected = expect.stringMatching(/common\.cts: The current file is a CommonJS module/)
      expect(problems).toEqual(version === '5.4' ? [rejected] : [])
    },
  )

  test('an application that extends the types compiles', { timeout: 120_000 }, async () => {
    const files = ['augmented.ts', 'same.ts']
    const { problems } = await compile({ name: `${version}-augmented`, files })
    expect(problems).toEqual([])
  })

  test('the configurations of each release compile', { timeout: 120_000 }, async () => {
    const options = { ...NODE, types: ['node'] }
    const program = { name: `${version}-releases`, files: [], code: CONFIGURATIONS, options }
    expect((await compile(program)).problems).toEqual([])
  })

  test('without strict checks, callback parameters have types', { timeout: 120_000 }, async () => {
    const options = { strict: false, noImplicitAny: true, skipLibCheck: true }
    const program = { name: `${version}-loose`, files: [], code: { 'loose.ts': LOOSE }, options }
    expect((await compile(program)).problems).toEqual([])
  })
})
