/** Augmentations of the types in an application that imports only one entry point. */
import { expect, test } from 'vitest'
import { compile, ENTRY_POINTS } from './application.ts'

const AUGMENTED = ['lib-auth', 'lib-auth/adapters', 'lib-auth/jwt', 'lib-auth/types']

test.each(Object.keys(ENTRY_POINTS))(
  'augmentation finds every module if only %s is imported',
  async (imported) => {
    const augmentations = AUGMENTED.map(
      (module) => `declare module '${module}' {\n  interface Own {\n    role: 'admin'\n  }\n}`,
    )
    const code = [`import '${imported}'`, ...augmentations].join('\n')
    const folder = `only-${imported.replaceAll('/', '.')}`
    expect(await compile(folder, code)).toEqual([])
  },
)

test.each([
  ['Session', 'lib-auth/types', 'lib-auth'],
  ['Session', 'lib-auth/types', 'lib-auth/next'],
  ['Session', 'lib-auth/types', 'lib-auth/express'],
  ['Session', 'lib-auth/types', 'lib-auth/fastify'],
  ['Session', 'lib-auth/types', 'lib-auth/nuxt'],
  ['Session', 'lib-auth/types', 'lib-auth/hono'],
  ['Session', 'lib-auth/types', 'lib-auth/node'],
  ['Session', 'lib-auth/types', 'lib-auth/astro'],
  ['Session', 'lib-auth/types', 'lib-auth/sveltekit'],
  ['Session', 'lib-auth/types', 'lib-auth/tanstack-start'],
  ['JWT', 'lib-auth/types', 'lib-auth/jwt'],
])('augmentation of %s through both %s and %s gives one type', async (name, first, second) => {
  const code = `
import '${first}'
import '${second}'
declare module '${first}' {
  interface ${name} {
    one: 1
  }
}
declare module '${second}' {
  interface ${name} {
    two: 2
  }
}
type Both = { one: 1; two: 2 }
export function read(one: import('${first}').${name}, two: import('${second}').${name}): Both[] {
  return [one, two]
}`
  expect(await compile(`both-${name}-${second.replaceAll('/', '.')}`, code)).toEqual([])
})
