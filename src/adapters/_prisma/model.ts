/** The part of a Prisma client that is used; generated types differ by schema. */
import { SCHEMA } from '../_schema.ts'
import type { TableId } from '../_schema.ts'

/** A Prisma 7 client, extended or not. */
export interface PrismaDatabase {
  $transaction<T>(work: (transaction: object) => Promise<T>): PromiseLike<T>
}

export interface PrismaModel<Row = unknown> {
  /** Scalar fields, without relations. */
  readonly fields: Readonly<Record<string, { readonly typeName: string } | undefined>>
  create(args: object): PromiseLike<Row>
  findMany(args: object): PromiseLike<Row[]>
  updateMany(args: object): PromiseLike<{ readonly count: number }>
  deleteMany(args: object): PromiseLike<{ readonly count: number }>
}

export type ModelNames = Readonly<Record<TableId, string>>

const MODELS: readonly TableId[] = [
  'users',
  'accounts',
  'sessions',
  'verificationTokens',
  'authenticators',
]

function isModel<Row>(value: unknown): value is PrismaModel<Row> {
  return typeof value === 'object' && value !== null && 'fields' in value && 'findMany' in value
}

export function modelOf<Row>(client: object, name: string): PrismaModel<Row> | null {
  const model: unknown = Reflect.get(client, name)
  return isModel<Row>(model) ? model : null
}

const WHAT_TO_DO =
  'Add it to schema.prisma ("npx lib-auth schema --adapter prisma" prints all of them), and run: npx prisma generate'

/** Fields whose values would be lost silently if the model lacked them. */
function neededFields(id: TableId): string[] {
  const fields = Object.entries(SCHEMA[id].columns)
    .filter(([, { isNullable }]) => !isNullable)
    .map(([field]) => field)
  return id === 'users' ? [...fields, 'email', 'emailVerified'] : fields
}

export function checkModels(client: object, names: ModelNames): void {
  for (const id of MODELS) {
    const name = names[id]
    const model = modelOf(client, name)
    if (!model && id === 'authenticators') continue
    if (!model) throw new Error(`PrismaAdapter: the client has no model "${name}". ${WHAT_TO_DO}`)
    for (const field of neededFields(id))
      if (!(field in model.fields))
        throw new Error(`PrismaAdapter: the model "${name}" has no field "${field}". ${WHAT_TO_DO}`)
  }
}
