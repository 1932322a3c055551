/** The model of second factors in Prisma. */
import type { FactorRows, TableRows } from './_methods.ts'
import type { StoredFactor } from '../core/database/adapter.ts'

interface FactorModel {
  updateMany(args: object): PromiseLike<{ readonly count: number }>
}

interface ModelRows extends TableRows<StoredFactor> {
  run<T>(send: (model: FactorModel) => PromiseLike<T>): Promise<T>
}

export function prismaFactors(rows: ModelRows): FactorRows {
  return {
    ...rows,
    async use(id, step) {
      // Compares exactly: the collation may ignore case.
      if ((await rows.list({ id })).length === 0) return false
      const isLower = [{ lastStep: null }, { lastStep: { lt: step } }]
      const { count } = await rows.run((model) =>
        model.updateMany({
          where: { id, OR: isLower },
          data: { lastStep: step, confirmed: true },
        }),
      )
      return count > 0
    },
  }
}
