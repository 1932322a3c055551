/** Compiled, never run: the types of adapters from npm are compatible without a cast. */
import { expectTypeOf } from 'vitest'
import type { Adapter } from '../../src/adapters/index.ts'
import type { AuthConfig } from '../../src/index.ts'
import type {
  DrizzleAdapter,
  KyselyAdapter,
  PostgresAdapter,
  UnstorageAdapter,
} from '../apps/adapters-by-others/index.ts'
import type { PrismaAdapter } from '../apps/prisma/index.ts'

type Theirs =
  | typeof DrizzleAdapter
  | typeof KyselyAdapter
  | typeof PostgresAdapter
  | typeof PrismaAdapter
  | typeof UnstorageAdapter

export function fits(): void {
  expectTypeOf<ReturnType<Theirs>>().not.toBeAny()
  expectTypeOf<ReturnType<Theirs>>().toExtend<Adapter>()
  expectTypeOf<ReturnType<Theirs>>().toExtend<NonNullable<AuthConfig['adapter']>>()
  for (const method of ['createUser', 'getSessionAndUser', 'useVerificationToken'] as const) {
    expectTypeOf<ReturnType<Theirs>[typeof method]>().not.toBeAny()
    expectTypeOf<ReturnType<Theirs>[typeof method]>().not.toBeNever()
  }
}
