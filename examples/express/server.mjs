import express from 'express'
import { SignInError } from 'lib-auth/express'
import {
  HEADERS,
  clientPage,
  clientScript,
  homePage,
  protectedPage,
} from '../server-parts/pages.mjs'
import { account } from './account.mjs'
import { lib } from './auth.mjs'
import { mailPage } from './mail.mjs'

/** The form of `Password`, and the links of the home page. */
const HOME = {
  form: {
    provider: 'password',
    field: 'email',
    type: 'email',
    label: 'E-mail address',
    value: 'grace@example.com',
    note: 'Or <a href="/auth/signin">with a passkey, or as a new user</a>. Mails are in the <a href="/mail">inbox</a>.',
  },
  links: '<p><a href="/account">Your account</a></p>',
}

const app = express()

app.use(lib.handler)
app.use('/account', account)

app.get('/', async (req, res) => {
  const session = await lib.auth(req, res)
  res.set(HEADERS).send(homePage(session, '', HOME))
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

app.get('/mail', (_req, res) => {
  res.set(HEADERS).send(mailPage())
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
      .send(homePage(null, error.type, HOME))
  }
})

app.post('/sign-out', async (req, res) => {
  await lib.signOut(req, res, { redirectTo: '/' })
})

app.listen(process.env.PORT ?? 3000, 'localhost')
