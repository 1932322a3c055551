/** A build of the library: that of the source, or of a folder such as `dist` of an earlier release. */
import { pathToFileURL } from 'node:url'

const MODULES = {
  core: ['index', () => import('../../src/index.ts')],
  errors: ['errors', () => import('../../src/errors.ts')],
  factors: ['factors', () => import('../../src/factors.ts')],
  jwt: ['jwt', () => import('../../src/jwt.ts')],
  kysely: ['adapters/kysely', () => import('../../src/adapters/kysely.ts')],
  next: ['frameworks/next/index', () => import('../../src/frameworks/next/index.ts')],
  passkey: ['providers/passkey', () => import('../../src/providers/passkey.ts')],
  password: ['password', () => import('../../src/password.ts')],
  account: ['account', () => import('../../src/account.ts')],
  redis: ['adapters/redis', () => import('../../src/adapters/redis.ts')],
  testing: ['testing/index', () => import('../../src/testing/index.ts')],
} as const

type Modules = typeof MODULES

export type Library = { readonly [Name in keyof Modules]: Awaited<ReturnType<Modules[Name][1]>> }

/** @param dist - folder of a build; without it, the source */
export async function loadLibrary(dist?: string): Promise<Library> {
  const load = async (name: keyof Modules): Promise<[string, unknown]> => {
    const [path, source] = MODULES[name]
    const built: unknown = dist ? await import(pathToFileURL(`${dist}/${path}.js`).href) : null
    return [name, built ?? (await source())]
  }
  const names = Object.keys(MODULES) as (keyof Modules)[]
  return Object.fromEntries(await Promise.all(names.map(load))) as Library
}
