// The script of the account page: only the browser can create a passkey.
import { register, signalRemoved } from 'lib-auth/webauthn'

const CONFIRM = `/auth/step-up?${new URLSearchParams({ callbackUrl: '/account?notice=confirmed' })}`
const REMOVED = 'removed passkey'
const button = document.querySelector('#add-passkey')
const message = document.querySelector('#passkey-problem')

async function add() {
  message.textContent = ''
  const result = await register('passkey', { basePath: '/auth', redirect: false })
  if (result.error === undefined) location.assign('/account?notice=passkey')
  // The sign-in is too old, or lacks the second step.
  else if (result.error === 'StepUpRequired') location.assign(CONFIRM)
  else message.textContent = result.message
}

button.addEventListener('click', () => void add())
button.hidden = false

// After the removal, password managers no longer offer the passkey.
for (const form of document.querySelectorAll('form[action$="/passkey/remove"]'))
  form.addEventListener('submit', () => sessionStorage.setItem(REMOVED, form.elements.id.value))
const removed = sessionStorage.getItem(REMOVED)
if (removed && new URL(location).searchParams.get('notice') === 'no-passkey') {
  sessionStorage.removeItem(REMOVED)
  await signalRemoved(removed)
}
