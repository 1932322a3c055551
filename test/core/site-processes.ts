/** Processes that share a storage and answer the requests of a browser. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Kysely, sql } from 'kysely'
import type { Dialect } from 'kysely'
import { createTables } from '../../src/cli/database/create-tables.ts'
import { cookieStore } from '../../src/testing/cookies.ts'
import type { Issuer, Values } from '../../src/testing/index.ts'

export const ORIGIN: URL = new URL('https://app.test/')

export interface Answer {
  readonly status: number
  readonly location: string | null
  readonly cookies: readonly string[]
  readonly body: string
}

export interface Process {
  call(options: object, name: string, given: object): Promise<unknown>
  stop(): void
}

/** Starts a module that answers calls, such as `request`. */
export async function startProcess(module: string, args: readonly string[]): Promise<Process> {
  const child = fork(module, args)
  await once(child, 'message')
  let calls = 0
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>()
  child.on('message', (message: { id: number; value: unknown; error?: string }) => {
    const call = waiting.get(message.id)
    waiting.delete(message.id)
    if (message.error === undefined) call?.resolve(message.value)
    else call?.reject(new Error(message.error))
  })
  child.on('exit', () => {
    for (const call of waiting.values()) call.reject(new Error('The process has ended.'))
  })
  return {
    call: (options, call, given) =>
      new Promise((resolve, reject) => {
        const id = calls++
        waiting.set(id, { resolve, reject })
        child.send({ id, options, call, given })
      }),
    stop: () => child.kill(),
  }
}

/** A browser, whose requests can be sent to each of the processes. */
export class Device<Options extends object = object> {
  readonly cookies = cookieStore()
  readonly options: Options
  constructor(options: Options) {
    this.options = options
  }

  get cookie(): string {
    return this.cookies.header({ url: ORIGIN, method: 'GET', initiator: 'same-site' }) ?? 'none=1'
  }

  async send(
    site: Process,
    path: string,
    body?: Readonly<Record<string, string>>,
  ): Promise<Answer> {
    const headers = { cookie: this.cookie, ...(body && { origin: ORIGIN.origin }) }
    const given = { path, method: body ? 'POST' : 'GET', headers, body }
    const answer = (await site.call(this.options, 'request', given)) as Answer
    for (const each of answer.cookies) this.cookies.accept(each, ORIGIN)
    return answer
  }

  async csrfToken(site: Process): Promise<string> {
    return JSON.parse((await this.send(site, 'csrf')).body).csrfToken
  }

  async signIn(site: Process, op: Issuer, person: Values, fields: object = {}): Promise<Answer> {
    const body = { csrfToken: await this.csrfToken(site), ...fields }
    const begun = await this.send(site, 'signin/op', body)
    const { url } = await op.authorize(begun.location ?? '', person)
    return this.send(site, `callback/op${new URL(url).search}`)
  }
}

type Tables = NonNullable<Parameters<typeof createTables>[0]['with']>

export async function createSchema(
  dialect: Dialect,
  name: 'postgres' | 'sqlite',
  tables: Tables = ['records'],
): Promise<void> {
  const db = new Kysely<object>({ dialect })
  for (const { statement } of createTables({ dialect: name, with: tables }))
    await sql.raw(statement).execute(db)
  await db.destroy()
}
