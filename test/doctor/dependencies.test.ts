/** `doctor` reports installed packages that are too old for the library, and vulnerable versions of Next.js. */
import { afterAll, describe, expect, test } from 'vitest'
import { applicationWith, cleanUp, runDoctor } from './run-doctor.ts'

afterAll(cleanUp)

/** The findings about a package that is installed in this version, here or in a folder above. */
async function aboutInstalled(
  name: string,
  version: string,
  folder = '',
): Promise<readonly string[]> {
  const manifest = JSON.stringify({ name, version })
  const root = applicationWith(
    {
      [`node_modules/${name}/package.json`]: manifest,
      [`${folder || '.'}/auth.mjs`]: 'export const config = { providers: [] }',
    },
    [],
  )
  const { about } = await runDoctor(folder ? `${root}/${folder}` : root)
  return about(name)
}

const UNSAFE = (version: string) =>
  `! next: version ${version} has known vulnerabilities, fixed in 15.5.18 and 16.2.6. → Run: npm install next@latest, or next@15.5 to stay on version 15.`

describe('Next.js', () => {
  test.each(['14.2.35', '15.1.0', '15.5.17', '16.0.0', '16.2.5'])(
    'reports %s as vulnerable',
    async (version) => {
      expect(await aboutInstalled('next', version)).toEqual([UNSAFE(version)])
    },
  )

  test.each(['15.5.18', '15.6.0-canary.1', '16.2.6', '16.10.0', '17.0.0'])(
    'accepts %s',
    async (version) => {
      expect(await aboutInstalled('next', version)).toEqual([])
    },
  )

  test('finds an installation in a workspace above the application', async () => {
    expect(await aboutInstalled('next', '16.0.0', 'apps/site')).toEqual([UNSAFE('16.0.0')])
  })
})

describe('packages', () => {
  test.each([
    ['next', '13.5.11', '14.2.0'],
    ['react', '17.0.2', '18.2.0'],
    ['drizzle-orm', '0.33.0', '0.34.0'],
    ['kysely', '0.26.3', '0.27.0'],
    ['nodemailer', '5.1.1', '6.0.0'],
  ])('reports %s %s as too old', async (name, version, oldest) => {
    expect(await aboutInstalled(name, version)).toEqual([
      `✗ ${name}: version ${version} is installed; lib-auth supports ${oldest} and newer. → Run: npm install ${name}@latest`,
    ])
  })

  test.each([
    ['react', '18.2.0'],
    ['drizzle-orm', '0.34.0'],
    ['drizzle-orm', '1.0.0-rc.1'],
    ['kysely', '0.27.0'],
  ])('accepts %s %s', async (name, version) => {
    expect(await aboutInstalled(name, version)).toEqual([])
  })
})
