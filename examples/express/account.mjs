// The account page: accounts at the provider, the second step, devices, and deletion. Each button is a form.
import express from 'express'
import { AuthError, SessionRequired, StepUpRequired, Verification } from 'lib-auth/errors'
import { HEADERS, escapeHtml, layout } from '../server-parts/pages.mjs'

/** What the last action has done, or why it has not: by name, and by type of error. */
const DONE = {
  confirmed: 'Thank you, it is you. Press the button again.',
  unlinked: 'The account is unlinked.',
  app: 'The app is turned off. All other devices are signed out.',
  device: 'The device is signed out.',
  elsewhere: 'All other devices are signed out.',
}
const FAILED = {
  LastSignInMethod: 'You could not sign in without it. Link another account first.',
  OAuthAccountNotLinked: 'That account belongs to another user.',
}

const date = (at) => at.toISOString().slice(0, 10)

function notice({ notice: name, error }) {
  if (Object.hasOwn(DONE, name ?? '')) return `<p role="status" class="done">${DONE[name]}</p>`
  if (!error) return ''
  const text = Object.hasOwn(FAILED, error)
    ? FAILED[error]
    : 'Not completed. Try again in a moment.'
  return `<p role="alert">${text}</p>`
}

/** A button with fields that are not shown. */
function form(action, label, fields = {}) {
  const inputs = Object.entries(fields).map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`,
  )
  return `<form action="/account/${action}" method="post">${inputs.join('')}<button>${label}</button></form>`
}

const row = (title, note, button) =>
  `<li><div>${title}<p class="note">${escapeHtml(note)}</p></div>${button}</li>`

function section(title, rows, rest) {
  return `<section class="card"><h2>${title}</h2><ul class="rows">${rows.join('')}</ul>${rest}</section>`
}

function accountPage(query, { accounts, apps, recoveryCodesLeft, devices }) {
  const methods = accounts.map(({ provider, providerAccountId, email }) =>
    row(
      'Demo provider',
      email ?? providerAccountId,
      form('unlink', 'Unlink', { provider, providerAccountId }),
    ),
  )
  const factors = apps.map(({ id, created }) =>
    row('Authenticator app', `Added on ${date(created)}`, form('app/remove', 'Turn off', { id })),
  )
  const sessions = devices.map(({ sid, isCurrent, startedAt, device }) =>
    row(
      isCurrent ? 'This device' : 'Another device',
      `${device?.userAgent ?? 'Unknown browser'}, signed in on ${date(startedAt ?? new Date())}`,
      isCurrent ? '' : form('device', 'Sign out', { sid }),
    ),
  )
  const left =
    apps.length > 0
      ? `<p class="note">${recoveryCodesLeft} of 10 recovery codes left.</p>`
      : '<p class="note">With an authenticator app, a sign-in also asks for its code.</p>'
  return layout(`<h1>Your account</h1>
${notice(query)}
${section('How you sign in', methods, form('link', 'Link an account of the demo provider'))}
${section('Second step', factors, left + form('app', 'Add an authenticator app'))}
${section('Where you are signed in', sessions, form('elsewhere', 'Sign out everywhere else'))}
${section('Delete the account', [], form('delete', 'Delete my account'))}`)
}

/** The form contains what it shows, so that it is shown again after a wrong code. */
function appPage({ id, secret, qrCode }, isWrong) {
  const picture = `data:image/svg+xml,${encodeURIComponent(qrCode)}`
  const hidden = Object.entries({ id, secret, qrCode }).map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`,
  )
  return layout(`<h1>Add an authenticator app</h1>
<p>Scan the QR code with your app, then enter the six digits that it shows.</p>
<img class="qr" alt="QR code for an authenticator app" src="${picture}">
<p class="note">Or enter this key: <code>${escapeHtml(secret)}</code></p>
<form action="/account/app/confirm" method="post">
${isWrong ? '<p role="alert" id="problem">The code is wrong. Enter the next one.</p>' : ''}
${hidden.join('')}
<label for="code">Code</label>
<input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" aria-describedby="problem" required autofocus>
<button class="primary">Confirm the code</button>
</form>`)
}

function codesPage(codes) {
  return layout(`<h1>Store these recovery codes</h1>
<p>Each replaces the app once. They are not shown again.</p>
<ul class="codes">${codes.map((code) => `<li><code>${code}</code></li>`).join('')}</ul>
<p><a href="/account">I have stored them</a></p>`)
}

/** The pages below `/account`. */
export function accountRoutes(lib) {
  const router = express.Router()
  const show = (res, what) => res.redirect(303, `/account?${new URLSearchParams(what)}`)

  router.get('/', lib.protect(), async (req, res) => {
    const [accounts, factors, page] = await Promise.all([
      lib.account.list(req, res),
      lib.factors.list(req, res),
      lib.sessions.list(req, res),
    ])
    // A user whom only `authorize` knows has none of it.
    const { apps, recoveryCodesLeft } = factors ?? { apps: [], recoveryCodesLeft: 0 }
    const devices = page?.sessions ?? []
    const content = { accounts: accounts ?? [], apps, recoveryCodesLeft, devices }
    res.set(HEADERS).send(accountPage(req.query, content))
  })

  /** If the sign-in is too old, or lacks the second step, the user confirms who they are, and comes back. */
  function post(path, act) {
    router.post(path, express.urlencoded(), async (req, res) => {
      try {
        await act(req, res)
      } catch (error) {
        if (error instanceof StepUpRequired) {
          const page = new URL(error.url)
          page.searchParams.set('callbackUrl', '/account?notice=confirmed')
          res.redirect(303, page.href)
        } else if (error instanceof SessionRequired) res.redirect(303, error.url)
        else if (error instanceof AuthError) show(res, { error: error.type })
        else throw error
      }
    })
  }

  post('/link', async (req, res) => {
    await lib.account.link(req, res, 'demo', { redirectTo: '/account' })
  })
  post('/unlink', async (req, res) => {
    const { provider, providerAccountId } = req.body
    await lib.account.unlink(req, res, { provider, providerAccountId })
    show(res, { notice: 'unlinked' })
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
  return router
}
