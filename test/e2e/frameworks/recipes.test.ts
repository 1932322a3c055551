/** The recipes of docs/guides/other-servers.md: Koa, h3, Elysia and NestJS. */
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { bundleGuide, bundleRecipe, startProgram } from '../../runtimes/guide-program.ts'
import type { Recipe } from '../../runtimes/guide-program.ts'
import { testHttp } from '../../runtimes/test-http.ts'
import { startRecipe } from '../../runtimes/recipe-server.ts'
import { findFramework, findRuntime } from '../../services.ts'
import { conformance } from '../../frameworks/conformance/index.ts'
import type { Exceptions } from '../../frameworks/conformance/index.ts'
import { rawClient } from '../../frameworks/raw-client.ts'

const recipes = (await findFramework('recipes')) ?? ''
// Below node_modules, where the programs find their packages.
const folder = join(recipes, 'node_modules/.programs')
if (recipes) mkdirSync(folder, { recursive: true })
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const bun = await findRuntime('bun')
const node = [process.execPath]

const RECIPES = [
  {
    name: 'koa.ts with Koa 3',
    program: node,
    entry: `import { app } from './koa'
const server = app.listen(0, '127.0.0.1', () => console.log('port ' + server.address().port))`,
  },
  {
    name: 'h3.ts with h3 2',
    program: node,
    entry: `import { serve } from 'h3'
import { app } from './h3'
const server = await serve(app, { port: 0, hostname: '127.0.0.1', silent: true }).ready()
console.log('port ' + new URL(server.url).port)`,
  },
  {
    name: 'elysia.ts with Elysia 1.4 on Bun',
    program: bun ? [bun, 'run'] : null,
    entry: `import { app } from './elysia'
app.listen({ port: 0, hostname: '127.0.0.1' })
console.log('port ' + app.server.port)`,
  },
  {
    name: 'nest.ts with NestJS 12',
    program: node,
    entry: `import 'reflect-metadata'
import { createApp } from './nest'
const app = await createApp()
await app.listen(0, '127.0.0.1')
console.log('port ' + app.getHttpServer().address().port)`,
  },
]

const external = ['koa', 'h3', 'elysia', '@nestjs/*', 'reflect-metadata', 'rxjs', 'express']

async function start(program: readonly string[], entry: string) {
  const code = await bundleGuide(entry, { platform: 'node', external })
  return startProgram(program, { code, folder })
}

for (const { name, program, entry } of RECIPES)
  describe.skipIf(!recipes || !program)(name, () => testHttp(() => start(program ?? [], entry)))

test.skipIf(!recipes)(
  'the NestJS recipe answers 401 to a signed-out user, and our errors with their status',
  async () => {
    const entry = RECIPES.at(-1)?.entry ?? ''
    const { origin, stop } = await start(node, entry)
    const user = rawClient(origin)
    expect((await user.send('/account')).status).toBe(401)
    const csrfToken = await user.csrfToken()
    const form = { csrfToken, username: 'ada', password: 'correct horse battery staple' }
    await user.send('/auth/callback/password', { form })
    expect((await user.send('/account')).body).toBe('Your account')
    const untrusted = await user.send('/account', { headers: { host: 'evil.example' } })
    const { error } = JSON.parse(untrusted.body)
    expect([untrusted.status, error]).toEqual([400, 'Configuration'])
    user.close()
    await stop()
  },
)

/** Ends also while connections are open. */
const CLOSE = `const close = (server) => () => {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(resolve))
}
`

const SERVERS: readonly (Recipe & { readonly exceptions?: Exceptions })[] = [
  {
    name: 'koa.ts with Koa 3',
    entry: `import { app } from './koa'
${CLOSE}
export const listen = () =>
  new Promise((resolve) => {
    app.silent = true
    const server = app.listen(0, '127.0.0.1', () =>
      resolve({ port: server.address().port, stop: close(server) }))
  })`,
  },
  {
    name: 'h3.ts with h3 2',
    // srvx marks the body as being read, so that Node.js does not discard the rest of a rejected one.
    exceptions: { closesConnection: true, leavesConnection: true },
    entry: `import { serve } from 'h3'
import { app } from './h3'
export async function listen() {
  const server = await serve(app, { port: 0, hostname: '127.0.0.1', silent: true }).ready()
  return { port: Number(new URL(server.url).port), stop: () => server.close(true) }
}`,
  },
  {
    name: 'nest.ts with NestJS 12',
    entry: `import 'reflect-metadata'
import { createApp } from './nest'
${CLOSE}
export async function listen() {
  const app = await createApp()
  await app.listen(0, '127.0.0.1')
  const server = app.getHttpServer()
  return { port: server.address().port, stop: close(server) }
}`,
  },
]

for (const { name, entry, exceptions } of recipes ? SERVERS : []) {
  const file = join(folder, `${name.split('.')[0]}.mjs`)
  await bundleRecipe({ name, entry, external }, file)
  conformance(name, startRecipe(file), exceptions, { isRecipe: true })
}
