/** What the default error handlers of Koa, h3 and NestJS send for an `AuthError`. */
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { bundleGuide, startProgram } from '../../runtimes/guide-program.ts'
import { findFramework } from '../../services.ts'
import { rawClient } from '../../frameworks/raw-client.ts'

/** Each program throws at `/wrong`, `/outage` and `/limited`; it is in the folder of the application that has the framework. */
const PROGRAMS = [
  {
    name: 'Koa 3',
    application: 'recipes',
    statuses: [401, 503, 429],
    retryAfter: '45',
    entry: `import Koa from 'koa'
const app = new Koa()
app.silent = true
app.use((ctx) => fail(ctx.path))
const server = app.listen(0, '127.0.0.1', () => print(server))`,
  },
  {
    name: 'h3 2',
    application: 'recipes',
    statuses: [401, 503, 429],
    retryAfter: '45',
    entry: `import { H3, serve } from 'h3'
const app = new H3({ silent: true }).all('/**', (event) => fail(event.url.pathname))
const server = serve(app, { port: 0, hostname: '127.0.0.1', silent: true })
await server.ready()
print(server.node.server)`,
  },
  {
    name: 'h3 1, as in Nuxt',
    application: 'nuxt',
    statuses: [401, 503, 429],
    entry: `import { createServer } from 'node:http'
import { createApp, eventHandler, toNodeListener } from 'h3'
const app = createApp().use(eventHandler((event) => fail(event.path)))
const server = createServer(toNodeListener(app)).listen(0, '127.0.0.1', () => print(server))`,
  },
  {
    // It sends the message of errors with the property `statusCode`, so our errors do not have it.
    name: 'NestJS 12, without a filter',
    application: 'recipes',
    statuses: [500, 500, 500],
    entry: `import 'reflect-metadata'
import { Controller, Get, Module, Req } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
@Controller()
class SiteController {
  @Get('*path') all(@Req() req) { fail(req.path) }
}
@Module({ controllers: [SiteController] })
class AppModule {}
const app = await NestFactory.create(AppModule, { logger: false })
await app.listen(0, '127.0.0.1')
print(app.getHttpServer())`,
  },
]

const COMMON = `import { AdapterError, CredentialsSignin, TooManyAttempts } from 'lib-auth/errors'
const fail = (path: string): never => {
  if (path === '/limited') throw new TooManyAttempts('Of the log.', { retryAfter: 45 })
  throw path === '/wrong' ? new CredentialsSignin('Of the log.') : new AdapterError('Of the log.')
}
const print = (server: { address(): unknown }) =>
  console.log('port ' + Object(server.address()).port)
`

const external = ['koa', 'h3', '@nestjs/*', 'reflect-metadata']

for (const { name, application, statuses, retryAfter, entry } of PROGRAMS) {
  const installed = (await findFramework(application)) ?? ''
  // Below node_modules, where the programs find their packages.
  const folder = join(installed, 'node_modules/.error-handlers')

  describe.skipIf(!installed)(name, () => {
    afterAll(() => rmSync(folder, { recursive: true, force: true }))

    test(`responds with ${statuses.join(', ')}, and does not send the message`, async () => {
      mkdirSync(folder, { recursive: true })
      const code = await bundleGuide(COMMON + entry, { platform: 'node', external })
      const { origin, stop } = await startProgram([process.execPath], { code, folder })
      const user = rawClient(origin)
      const answers = []
      for (const path of ['/wrong', '/outage', '/limited']) answers.push(await user.send(path))
      expect(answers.map(({ status }) => status)).toEqual(statuses)
      for (const { body } of answers) expect(body).not.toContain('Of the log.')
      expect(answers.at(-1)?.headers['retry-after']).toBe(retryAfter)
      user.close()
      await stop()
    })
  })
}
