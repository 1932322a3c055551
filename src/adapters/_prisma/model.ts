/** What of a client of Prisma is used; the types of generated clients differ from schema to schema. */
import { SCHEMA } from '../_schema.ts'
import type { TableId } from '../_schema.ts'

/** A client of Prisma 7, extended or not. */
export interface PrismaDatabase {
  $transaction<T>(work: (transaction: object) => Promise<T>): PromiseLike<T>
}

/** One model of a client. */
export interface PrismaModel<Row> {
  /** Its own fields, without relations. */
  readonly fields: Readonly<Record<string, { readonly typeName: string } | undefined>>
  create(args: object): PromiseLike<Row>
  findMany(args: object): PromiseLike<Row[]>
  updateMany(args: object): PromiseLike<{ readonly count: number }>
  deleteMany(args: object): PromiseLike<{ readonly count: number }>
}

/** Names of models, as properties of the client. */
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

/** A model of a client, or of a transaction of it. */
export function modelOf<Row>(client: object, name: string): PrismaModel<Row> | null {
  const model: unknown = Reflect.get(client, name)
  return isModel<Row>(model) ? model : null
}

const WHAT_TO_DO =
  'Add it to schema.prisma ("npx lib-auth schema --adapter prisma" prints all of them), and run: npx prisma generate'

/** What is left out without a word if the model has no field for it, and must not be. */
function neededFields(id: TableId): string[] {
  const fields = Object.entries(SCHEMA[id].columns)
    .filter(([, { isNullable }]) => !isNullable)
    .map(([field]) => field)
  return id === 'users' ? [...fields, 'email', 'emailVerified'] : fields
}

/** @throws Error when a model, or a field that a model needs, is not there */
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
