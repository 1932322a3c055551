import express from 'express'
import Lib, { SignInError } from 'lib-auth/express'
import { config } from '../server-parts/config.mjs'
import {
  HEADERS,
  clientPage,
  clientScript,
  homePage,
  protectedPage,
} from '../server-parts/pages.mjs'

const lib = Lib(config)
const app = express()

app.use(lib.handler)

app.get('/', async (req, res) => {
  const session = await lib.auth(req, res)
  res.set(HEADERS).send(homePage(session))
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
