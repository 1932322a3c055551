import Fastify from 'fastify'
import Lib, { SignInError } from 'lib-auth/fastify'
import { config } from '../server-parts/config.mjs'
import {
  HEADERS,
  clientPage,
  clientScript,
  homePage,
  protectedPage,
} from '../server-parts/pages.mjs'

const lib = Lib(config)
const app = Fastify()

app.register(lib.plugin)

// Forms. The package @fastify/formbody does the same.
app.addContentTypeParser(
  'application/x-www-form-urlencoded',
  { parseAs: 'string' },
  async (_request, body) => Object.fromEntries(new URLSearchParams(body)),
)

app.get('/', async (request, reply) => {
  const session = await request.auth()
  return reply.headers(HEADERS).send(homePage(session))
})

app.get('/protected', { preHandler: lib.protect() }, async (request, reply) => {
  const session = await request.auth()
  return reply.headers(HEADERS).send(protectedPage(session))
})

app.get('/client', (_request, reply) => reply.headers(HEADERS).send(clientPage()))

app.get('/client.js', (_request, reply) => reply.type('text/javascript').send(clientScript))

app.post('/sign-in', async (request, reply) => {
  const { provider, ...fields } = request.body
  try {
    await lib.signIn(request, reply, provider, { ...fields, redirectTo: '/' })
    return reply
  } catch (error) {
    if (!(error instanceof SignInError)) throw error
    return reply
      .code(error.status)
      .headers({ ...HEADERS, ...error.headers })
      .send(homePage(null, error.type))
  }
})

app.post('/sign-out', async (request, reply) => {
  await lib.signOut(request, reply, { redirectTo: '/' })
  return reply
})

await app.listen({ host: 'localhost', port: Number(process.env.PORT ?? 3000) })
