// What the account page shows. Each button is a form.
import { escapeHtml, layout } from '../server-parts/pages.mjs'

/** What the last action has done, by name. */
const DONE = {
  confirmed: 'Thank you, it is you. Press the button again.',
  linked: 'The account is linked.',
  unlinked: 'The account is unlinked.',
  passkey: 'The passkey is added.',
  renamed: 'The passkey is renamed.',
  'no-passkey': 'The passkey is removed.',
  app: 'The app is turned off. All other devices are signed out.',
  password: 'The password is saved. All other devices are signed out.',
  'no-password': 'The password is removed. All other devices are signed out.',
  sent: 'The links are on their way.',
  'sent-again': 'The links were sent again. Earlier ones are no longer valid.',
  cancelled: 'The change of the e-mail address is cancelled.',
  device: 'The device is signed out.',
  elsewhere: 'All other devices are signed out.',
}

/** Why it was not done, by type of error. */
const FAILED = {
  LastSignInMethod: 'You could not sign in without it. Add another sign-in method first.',
  OAuthAccountNotLinked: 'That account belongs to another user.',
  AccessDenied: 'The account was not linked, because the provider did not allow it.',
  TooManyAttempts: 'Too many attempts. Try again later.',
  AccountMailError: 'The mail could not be sent. Try again in a moment.',
}

/** Why a form with fields was rejected, by the code of the error, or its type. */
const REJECTED = {
  ...FAILED,
  too_short: 'Use at least 12 characters.',
  common: 'Many people use this password. Choose another one.',
  unusable: 'This password cannot be used. Choose another one.',
  conflict: 'The password was changed in another window. Try again.',
  current_password: 'The current password is wrong.',
  InvalidRequest: 'Enter a new address, such as name@example.com.',
}

const date = (at) => at?.toISOString().slice(0, 10) ?? 'an unknown day'

const textOf = (error, texts) =>
  Object.hasOwn(texts, error) ? texts[error] : 'Not completed. Try again in a moment.'

function notice({ notice: name, error, form: rejected }) {
  if (error && !rejected) return `<p role="alert">${textOf(error, FAILED)}</p>`
  if (!Object.hasOwn(DONE, name ?? '')) return ''
  return `<p role="status" class="done">${DONE[name]}</p>`
}

const hidden = (fields) =>
  Object.entries(fields)
    .map(([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`)
    .join('')

/** A button with fields that are not shown, and others. */
function form(action, label, fields = {}, shown = '') {
  return `<form action="/account/${action}" method="post">${hidden(fields)}${shown}<button>${label}</button></form>`
}

/** A field that is shown; `problem` is the id of the text that says why it was rejected. */
function field(id, label, { problem = '', rule = '', value = '', ...attributes }) {
  const all = { id, value, ...attributes, 'aria-describedby': `${rule} ${problem}`.trim() }
  const written = Object.entries(all)
    .filter(([, text]) => text !== '')
    .map(([name, text]) => `${name}="${escapeHtml(text)}"`)
  const state = problem ? 'aria-invalid="true" ' : ''
  return `<label for="${id}">${label}</label><input ${state}${written.join(' ')} required>`
}

/** The error of a form with fields: its text, and its id. */
function problemOf(name, query) {
  if (query.form !== name || !query.error) return { text: '', id: '' }
  const id = `${name}-problem`
  return { id, text: `<p role="alert" id="${id}">${textOf(query.error, REJECTED)}</p>` }
}

const row = (title, note, actions) =>
  `<li><div>${title}<p class="note">${escapeHtml(note)}</p></div>${actions}</li>`

function section(id, title, rows, rest) {
  return `<section class="card" id="${id}"><h2>${title}</h2><ul class="rows">${rows.join('')}</ul>${rest}</section>`
}

function methodsSection({ accounts }) {
  const rows = accounts.map(({ provider, providerAccountId, email }) =>
    row(
      'Demo provider',
      email ?? providerAccountId,
      form('unlink', 'Unlink', { provider, providerAccountId }),
    ),
  )
  const link = form('link', 'Link an account of the demo provider')
  return section('methods', 'How you sign in', rows, link)
}

/** The script shows the button. */
const ADD_PASSKEY = `<p role="alert" id="passkey-problem"></p>
<p class="actions"><button type="button" id="add-passkey" hidden>Add a passkey</button></p>
<noscript><p class="note">To add a passkey, switch JavaScript on.</p></noscript>
<script type="module" src="/account/client.js"></script>`

function passkeysSection({ passkeys }) {
  const rows = passkeys.map(({ credentialID: id, name, deviceType, created }, index) => {
    const kind = deviceType === 'multiDevice' ? 'Synchronized' : 'On one device'
    const value = name ?? ''
    const input = field(`passkey-${index}`, 'Name of the passkey', {
      name: 'name',
      value,
      maxlength: '100',
      pattern: '.*\\S.*',
    })
    return row(
      escapeHtml(name ?? 'Passkey'),
      `${kind}, added on ${date(created)}`,
      form('passkey/rename', 'Rename', { id }, input) + form('passkey/remove', 'Remove', { id }),
    )
  })
  return section('passkeys', 'Passkeys', rows, ADD_PASSKEY)
}

function secondStepSection({ apps, recoveryCodesLeft }) {
  const rows = apps.map(({ id, created }) =>
    row('Authenticator app', `Added on ${date(created)}`, form('app/remove', 'Turn off', { id })),
  )
  const codes =
    apps.length > 0
      ? `<p class="note">${recoveryCodesLeft} of 10 recovery codes left.</p>${form('codes', 'Create new recovery codes')}`
      : '<p class="note">With an authenticator app, a sign-in also asks for its code.</p>'
  return section('app', 'Second step', rows, codes + form('app', 'Add an authenticator app'))
}

function passwordSection({ user, password }, query) {
  const { id, text } = problemOf('password', query)
  const isCurrentWrong = query.error === 'current_password'
  const current = field('current', 'Current password', {
    name: 'current',
    type: 'password',
    autocomplete: 'current-password',
    problem: isCurrentWrong ? id : '',
  })
  const next = field('new-password', 'New password', {
    name: 'password',
    type: 'password',
    autocomplete: 'new-password',
    minlength: '12',
    problem: isCurrentWrong ? '' : id,
    rule: 'password-rule',
  })
  // Password managers recognise the account by the hidden address.
  const account = `<input type="email" autocomplete="username" value="${escapeHtml(user.email ?? '')}" readonly hidden>`
  const rule =
    '<p class="note" id="password-rule">At least 12 characters. All other devices are signed out.</p>'
  const fields = text + account + (password ? current : '') + next + rule
  const note = password ? `Changed on ${date(password.changed)}` : 'You have none.'
  const change = form('password', password ? 'Change the password' : 'Set a password', {}, fields)
  const remove = password ? form('password/remove', 'Remove the password') : ''
  return section('password', 'Password', [], `<p class="note">${note}</p>${change}${remove}`)
}

const MAILBOXES = { current: 'the current address', new: 'the new address' }

function emailSection({ user, pendingEmail }, query) {
  const title = 'E-mail address'
  if (!pendingEmail) {
    const { id, text } = problemOf('email', query)
    const input = field('new-email', 'New e-mail address', {
      name: 'to',
      type: 'email',
      autocomplete: 'email',
      // What the user typed in before they had to confirm who they are.
      value: String(query.to ?? ''),
      problem: id,
    })
    const change = form('email', 'Change the e-mail address', {}, text + input)
    return section('email', title, [], `<p>${escapeHtml(user.email ?? 'not set')}</p>${change}`)
  }
  const { to, awaits } = pendingEmail
  const mailboxes = awaits.map((mailbox) => MAILBOXES[mailbox]).join(' and that to ')
  const waiting = `<p>${escapeHtml(user.email ?? 'not set')}</p>
<p>A change to <b>${escapeHtml(to)}</b> waits until you open the link in the mail to ${mailboxes}. In this demo, the mails are in the <a href="/mail">inbox</a>.</p>
<div class="actions">${form('email/again', 'Send the links again', { to })}${form('email/cancel', 'Cancel the change')}</div>`
  return section('email', title, [], waiting)
}

function devicesSection({ devices }) {
  const rows = devices.map(({ sid, isCurrent, startedAt, device }) =>
    row(
      isCurrent ? 'This device' : 'Another device',
      `${device?.userAgent ?? 'Unknown browser'}, signed in on ${date(startedAt)}`,
      isCurrent ? '' : form('device', 'Sign out', { sid }),
    ),
  )
  const elsewhere = form('elsewhere', 'Sign out everywhere else')
  return section('devices', 'Where you are signed in', rows, elsewhere)
}

export function accountPage(account, query) {
  return layout(`<h1>Your account</h1>
${notice(query)}
${methodsSection(account)}
${passkeysSection(account)}
${secondStepSection(account)}
${passwordSection(account, query)}
${emailSection(account, query)}
${devicesSection(account)}
${section('delete', 'Delete the account', [], form('delete', 'Delete my account'))}`)
}

/** The form contains what it shows, so that it is shown again after a wrong code. */
export function appPage({ id, secret, qrCode }, isWrong) {
  const picture = `data:image/svg+xml,${encodeURIComponent(qrCode)}`
  return layout(`<h1>Add an authenticator app</h1>
<p>Scan the QR code with your app, then enter the six digits that it shows.</p>
<img class="qr" alt="QR code for an authenticator app" src="${picture}">
<p class="note">Or enter this key: <code>${escapeHtml(secret)}</code></p>
<form action="/account/app/confirm" method="post">
${isWrong ? '<p role="alert" id="problem">The code is wrong. Enter the next one.</p>' : ''}
${hidden({ id, secret, qrCode })}
<label for="code">Code</label>
<input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" aria-describedby="problem" required autofocus>
<button class="primary">Confirm the code</button>
</form>`)
}

export function codesPage(codes) {
  return layout(`<h1>Store these recovery codes</h1>
<p>Each replaces the app once. They are not shown again.</p>
<ul class="codes">${codes.map((code) => `<li><code>${code}</code></li>`).join('')}</ul>
<p><a href="/account">I have stored them</a></p>`)
}
