// The account page: accounts at the provider, passkeys, the second step, the password, the e-mail address, devices, and deletion.
import express from 'express'
import { AuthError, SessionRequired, StepUpRequired, Verification } from 'lib-auth/errors'
import { HEADERS, bundle } from '../server-parts/pages.mjs'
import { accountPage, appPage, codesPage } from './account-page.mjs'
import { adapter, lib } from './auth.mjs'
import { passkeys } from './passkeys.mjs'

const script = await bundle(new URL('client.mjs', import.meta.url))

const urlOf = (what) => `/account?${new URLSearchParams(what)}`

const show = (res, what) => res.redirect(303, urlOf(what))

/** The pages below `/account`. */
export const account = express.Router()

account.get('/', lib.protect(), async (req, res) => {
  const { user: current } = res.locals.session
  const [user, accounts, keys, factors, password, pendingEmail, page] = await Promise.all([
    // The session has the address of the last sign-in.
    adapter.getUser(current.id),
    lib.account.list(req, res),
    passkeys.list(req, res),
    lib.factors.list(req, res),
    lib.password.info(req, res),
    lib.account.pendingEmail(req, res),
    lib.sessions.list(req, res),
  ])
  const content = {
    user: user ?? current,
    accounts: accounts ?? [],
    passkeys: keys ?? [],
    apps: factors?.apps ?? [],
    recoveryCodesLeft: factors?.recoveryCodesLeft ?? 0,
    password,
    pendingEmail,
    devices: page?.sessions ?? [],
  }
  res.set(HEADERS).send(accountPage(content, req.query))
})

account.get('/client.js', (_req, res) => {
  res.type('text/javascript').send(script)
})

/**
 * If the sign-in is too old, or lacks the second step, the user confirms who they are, and comes back. Another error is shown
 * at the form of this name, else at the top of the page.
 */
function post(path, act, form) {
  account.post(path, express.urlencoded(), async (req, res) => {
    // A form without a field has no body.
    req.body ??= {}
    // An address that was typed in is shown again.
    const typed = form === 'email' ? { to: String(req.body.to ?? '') } : {}
    try {
      await act(req, res)
    } catch (error) {
      if (error instanceof StepUpRequired) {
        const page = new URL(error.url)
        page.searchParams.set('callbackUrl', urlOf({ notice: 'confirmed', ...typed }))
        res.redirect(303, page.href)
      } else if (error instanceof SessionRequired) res.redirect(303, error.url)
      else if (!(error instanceof AuthError)) throw error
      else if (!form) show(res, { error: error.type })
      else {
        const query = urlOf({ form, error: error.code || error.type, ...typed })
        res.redirect(303, `${query}#${form}`)
      }
    }
  })
}

post('/link', async (req, res) => {
  await lib.account.link(req, res, 'demo', { redirectTo: '/account?notice=linked' })
})
post('/unlink', async (req, res) => {
  const { provider, providerAccountId } = req.body
  await lib.account.unlink(req, res, { provider, providerAccountId })
  show(res, { notice: 'unlinked' })
})

post('/passkey/rename', async (req, res) => {
  await passkeys.rename(req, res, req.body.id, req.body.name)
  show(res, { notice: 'renamed' })
})
post('/passkey/remove', async (req, res) => {
  await passkeys.remove(req, res, req.body.id)
  show(res, { notice: 'no-passkey' })
})

post('/app', async (req, res) => {
  res.set(HEADERS).send(appPage(await lib.factors.enroll(req, res)))
})
post('/app/confirm', async (req, res) => {
  const { id, secret, qrCode, code } = req.body
  try {
    const { recoveryCodes } = await lib.factors.confirm(req, res, { id, code })
    if (recoveryCodes.length > 0) res.set(HEADERS).send(codesPage(recoveryCodes))
    else res.redirect(303, '/account')
  } catch (error) {
    if (!(error instanceof Verification)) throw error
    res.set(HEADERS).send(appPage({ id, secret, qrCode }, true))
  }
})
post('/app/remove', async (req, res) => {
  await lib.factors.remove(req, res, req.body.id)
  show(res, { notice: 'app' })
})
post('/codes', async (req, res) => {
  res.set(HEADERS).send(codesPage(await lib.factors.renewRecoveryCodes(req, res)))
})

post(
  '/password',
  async (req, res) => {
    await lib.password.change(req, res, req.body)
    show(res, { notice: 'password' })
  },
  'password',
)
post('/password/remove', async (req, res) => {
  await lib.password.remove(req, res)
  show(res, { notice: 'no-password' })
})

post(
  '/email',
  async (req, res) => {
    await lib.account.changeEmail(req, res, req.body.to)
    show(res, { notice: 'sent' })
  },
  'email',
)
post('/email/again', async (req, res) => {
  await lib.account.changeEmail(req, res, req.body.to)
  show(res, { notice: 'sent-again' })
})
post('/email/cancel', async (req, res) => {
  await lib.account.cancelEmail(req, res)
  show(res, { notice: 'cancelled' })
})

post('/device', async (req, res) => {
  await lib.sessions.revoke(req, res, req.body.sid)
  show(res, { notice: 'device' })
})
post('/elsewhere', async (req, res) => {
  await lib.sessions.revokeOthers(req, res)
  show(res, { notice: 'elsewhere' })
})
post('/delete', async (req, res) => {
  await lib.account.remove(req, res)
  res.redirect(303, '/')
})
