import express from 'express'
import MemoryAdapter from 'lib-auth/adapters/memory'
import Lib, { SignInError } from 'lib-auth/express'
import { GRACE, config } from '../server-parts/config.mjs'
import {
  HEADERS,
  clientPage,
  clientScript,
  homePage,
  protectedPage,
} from '../server-parts/pages.mjs'
import { accountRoutes } from './account.mjs'

const adapter = MemoryAdapter()
await adapter.createUser({ ...GRACE, emailVerified: null })

const lib = Lib({
  ...config,
  // Users and their second factors are in memory; sessions stay in cookies, with a list of devices.
  adapter,
  session: { strategy: 'jwt', devices: 'described', assurance: 'kept' },
  // Users may change how they sign in, for 15 minutes after a sign-in.
  account: {},
  secondStep: {},
})
const app = express()

app.use(lib.handler)
app.use('/account', accountRoutes(lib))

app.get('/', async (req, res) => {
  const session = await lib.auth(req, res)
  res.set(HEADERS).send(homePage(session, '', '<p><a href="/account">Your account</a></p>'))
})

app.get('/protected', lib.protect(), (_req, res) => {
  res.set(HEADERS).send(protectedPage(res.locals.session))
})

app.get('/client', (_req, res) => {
  res.set(HEADERS).send(clientPage())
})

app.get('/client.js', (_req, res) => {
  res.type('text/javascript').send(clientScript)
})

app.post('/sign-in', express.urlencoded(), async (req, res) => {
  const { provider, ...fields } = req.body
  try {
    await lib.signIn(req, res, provider, { ...fields, redirectTo: '/' })
  } catch (error) {
    if (!(error instanceof SignInError)) throw error
    res
      .status(error.status)
      .set({ ...HEADERS, ...error.headers })
      .send(homePage(null, error.type))
  }
})

app.post('/sign-out', async (req, res) => {
  await lib.signOut(req, res, { redirectTo: '/' })
})

app.listen(process.env.PORT ?? 3000, 'localhost')
