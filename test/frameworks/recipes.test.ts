/** The recipes of docs/guides/other-servers.md: Koa, h3, Elysia and NestJS. */
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { bundleGuide, startProgram } from '../runtimes/guide-program.ts'
import { testHttp } from '../runtimes/test-http.ts'
import { findFramework, findRuntime } from '../services.ts'
import { rawClient } from '../wrappers/raw-client.ts'

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
  'the guard of the NestJS recipe answers 401 to a signed-out user',
  async () => {
    const entry = RECIPES.at(-1)?.entry ?? ''
    const { origin, stop } = await start(node, entry)
    const user = rawClient(origin)
    expect((await user.send('/account')).status).toBe(401)
    const csrfToken = await user.csrfToken()
    const form = { csrfToken, username: 'ada', password: 'correct horse battery staple' }
    await user.send('/auth/callback/password', { form })
    expect((await user.send('/account')).body).toBe('Your account')
    user.close()
    await stop()
  },
)
