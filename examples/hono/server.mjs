import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import Lib, { SignInError } from 'lib-auth/hono'
import { config } from '../server-parts/config.mjs'
import {
  HEADERS,
  clientPage,
  clientScript,
  homePage,
  protectedPage,
} from '../server-parts/pages.mjs'

const lib = Lib(config)
const app = new Hono()

app.use(lib.handler)

app.get('/', lib.session, async (c) => {
  const session = await c.var.auth()
  return c.html(homePage(session), 200, HEADERS)
})

app.get('/protected', lib.protect(), (c) => c.html(protectedPage(c.var.session), 200, HEADERS))

app.get('/client', (c) => c.html(clientPage(), 200, HEADERS))

app.get('/client.js', (c) => c.body(clientScript, 200, { 'content-type': 'text/javascript' }))

app.post('/sign-in', async (c) => {
  const { provider, ...fields } = await c.req.parseBody()
  try {
    return await lib.signIn(c, provider, { ...fields, redirectTo: '/' })
  } catch (error) {
    if (!(error instanceof SignInError)) throw error
    return c.html(homePage(null, error.type), error.status, { ...HEADERS, ...error.headers })
  }
})

app.post('/sign-out', (c) => lib.signOut(c, { redirectTo: '/' }))

serve({ fetch: app.fetch, hostname: 'localhost', port: Number(process.env.PORT ?? 3000) })
