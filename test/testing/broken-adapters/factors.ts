import type { Adapter, StoredFactor } from '../../../src/adapters/index.ts'
import { delay, fault, folded } from './fault.ts'
import type { Fault } from './fault.ts'

/** The factor with this id. The memory adapter has no method that finds it without its user. */
function rememberFactors(memory: Required<Adapter>) {
  const owners = new Map<string, string>()
  return {
    createFactor: async (factor: StoredFactor) => {
      owners.set(factor.id, factor.userId)
      return memory.createFactor(factor)
    },
    find: async (id: string): Promise<StoredFactor | undefined> => {
      const factors = await memory.listFactors(owners.get(id) ?? '')
      return factors.find((factor) => factor.id === id)
    },
    /** An id that was stored, and that a collation without case takes for this one. */
    alike: (id: string) => [...owners.keys()].find((own) => folded(own) === folded(id)) ?? id,
  }
}

export const factorFaults: readonly Fault[] = [
  fault(
    'a secret column of 255 characters',
    'createFactor stores every field of a factor',
    /^listFactors\(".*"\) after createFactor: expected \[/,
    (memory) => ({
      createFactor: async (factor) =>
        memory.createFactor({ ...factor, secret: factor.secret.slice(0, 255) }),
    }),
  ),
  fault(
    'a date column of factors without milliseconds',
    'createFactor stores every field of a factor',
    /^listFactors\(".*"\) after createFactor: expected \[/,
    (memory) => ({
      async createFactor(factor) {
        const created = new Date(Math.floor(factor.created.getTime() / 1000) * 1000)
        return memory.createFactor({ ...factor, created })
      },
    }),
  ),
  fault(
    'createFactor replacing a factor with the same id',
    'createFactor throws for an id that already exists',
    /^createFactor\(\{ .* \}\) after createFactor: expected an error/,
    (memory) => ({
      async createFactor(factor) {
        await memory.deleteFactor(factor.id)
        return memory.createFactor(factor)
      },
    }),
  ),
  fault(
    'listFactors returning confirmed factors only',
    'listFactors returns the factors of exactly this user',
    /^listFactors\(".*"\) after createFactor: expected \[.*\], got \[/,
    (memory) => ({
      listFactors: async (userId) =>
        (await memory.listFactors(userId)).filter(({ confirmed }) => confirmed),
    }),
  ),
  fault(
    'useFactor storing the step without confirming the factor',
    'useFactor confirms a factor and stores the step of its code',
    /^listFactors\(".*"\) after useFactor: expected \[/,
    (memory) => ({
      async listFactors(userId) {
        const factors = await memory.listFactors(userId)
        for (const factor of factors) factor.confirmed = false
        return factors
      },
    }),
  ),
  fault(
    'useFactor accepting a step again',
    'useFactor accepts a higher step only',
    /^useFactor\(\{ .* \}\) after useFactor: expected false, got true/,
    (memory) => ({
      async useFactor(use) {
        await memory.useFactor(use)
        return true
      },
    }),
  ),
  fault(
    'useFactor comparing ids like a case-insensitive collation',
    'useFactor matches the exact id only',
    /^useFactor\(\{ id: "F.*", step: .* \}\) after useFactor: expected false, got true/,
    (memory) => {
      const { createFactor, alike } = rememberFactors(memory)
      return {
        createFactor,
        useFactor: async ({ id, step }) => memory.useFactor({ id: alike(id), step }),
      }
    },
  ),
  fault(
    'useFactor with a race condition between read and write',
    'useFactor accepts a step in one of fifty concurrent calls',
    /^useFactor, 50 concurrent calls: expected exactly one to return true, got 50/,
    (memory) => {
      const { createFactor, find } = rememberFactors(memory)
      return {
        createFactor,
        async useFactor(use) {
          const factor = await find(use.id)
          await delay()
          await memory.useFactor(use)
          return factor !== undefined && (factor.lastStep ?? -1) < use.step
        },
      }
    },
  ),
  fault(
    'useFactor storing the step of the last call',
    'useFactor keeps the highest of fifty concurrent steps',
    /^listFactors after useFactor, 50 concurrent calls: expected \[/,
    (memory) => {
      const { createFactor, find } = rememberFactors(memory)
      return {
        createFactor,
        async useFactor({ id, step }) {
          const factor = await find(id)
          await delay()
          if (!factor || (factor.lastStep ?? -1) >= step) return false
          await memory.deleteFactor(id)
          await memory.createFactor({ ...factor, lastStep: step, confirmed: true })
          return true
        },
      }
    },
  ),
  fault(
    'deleteFactor deleting all factors of the user',
    'deleteFactor returns the row once, and keeps the others',
    /^listFactors\(".*"\) after deleteFactor: expected \[/,
    (memory) => ({
      async deleteFactor(id) {
        const factor = await memory.deleteFactor(id)
        for (const other of factor ? await memory.listFactors(factor.userId) : [])
          await memory.deleteFactor(other.id)
        return factor
      },
    }),
  ),
  fault(
    'deleteFactor comparing ids like a case-insensitive collation',
    'deleteFactor matches the exact id only',
    /^deleteFactor\("F.*"\) after deleteFactor: expected null, got \{/,
    (memory) => {
      const { createFactor, alike } = rememberFactors(memory)
      return { createFactor, deleteFactor: async (id) => memory.deleteFactor(alike(id)) }
    },
  ),
  fault(
    'deleteFactor with a race condition between read and delete',
    'deleteFactor returns a factor to one of fifty concurrent calls',
    /^deleteFactor, 50 concurrent calls: expected exactly one to return the row, got 50/,
    (memory) => {
      const { createFactor, find } = rememberFactors(memory)
      return {
        createFactor,
        async deleteFactor(id) {
          const factor = await find(id)
          await delay()
          await memory.deleteFactor(id)
          return factor ?? null
        },
      }
    },
  ),
  fault(
    'deleteUser keeping factors',
    'deleteUser deletes the factors of the user',
    /^listFactors\(".*"\) after deleteUser: expected \[\], got \[/,
    (memory) => {
      const kept: StoredFactor[] = []
      return {
        async createFactor(factor) {
          kept.push(factor)
          return memory.createFactor(factor)
        },
        listFactors: (userId) => kept.filter((factor) => factor.userId === userId),
      }
    },
  ),
  fault(
    'factors written outside of the transaction',
    'transaction that is rolled back keeps the factors',
    /^listFactors\(".*"\) after transaction: expected \[/,
    (memory) => {
      const stored = new Map<string, StoredFactor>()
      const outside: Partial<Adapter> = {
        createFactor: (factor) => void stored.set(factor.id, factor),
        listFactors: (userId) => [...stored.values()].filter((each) => each.userId === userId),
        useFactor({ id, step }) {
          const factor = stored.get(id)
          if (!factor || (factor.lastStep ?? -1) >= step) return false
          stored.set(id, { ...factor, lastStep: step, confirmed: true })
          return true
        },
        deleteFactor(id) {
          const factor = stored.get(id) ?? null
          stored.delete(id)
          return factor
        },
      }
      return {
        ...outside,
        transaction: (work) => memory.transaction((inner) => work({ ...inner, ...outside })),
      }
    },
  ),
]
