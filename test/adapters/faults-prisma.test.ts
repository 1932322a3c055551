import { afterAll } from 'vitest'
import PrismaAdapter from '../../src/adapters/prisma.ts'
import { testOnPostgres } from './outage/postgres.ts'
import { connectPrisma } from './prisma-client.ts'
import { printedModels, schemaOf } from './prisma-schemas.ts'

await testOnPostgres(async (pool) => {
  const schema = schemaOf('postgresql', printedModels)
  const client = await connectPrisma(['printed', schema], ['@prisma/adapter-pg', 'PrismaPg', pool])
  afterAll(() => client.$disconnect())
  return PrismaAdapter(client)
}, 'none')
