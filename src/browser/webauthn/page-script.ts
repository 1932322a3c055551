/** The script of the built-in sign-in page. It runs in the browser only: `tools/page-script.mjs` makes it a text. */
import { browserSupportsWebAuthnAutofill } from '@simplewebauthn/browser'
import { createRoutes } from '../client/routes.ts'
import { runAutofill } from './autofill.ts'
import { missingSupport, runCeremony } from './ceremony.ts'
import type { Ceremony, CeremonyAction, Proof } from './ceremony.ts'
import { CeremonyError, logSiteError } from './ceremony-error.ts'
import type { CeremonyErrorCode } from '../../core/errors/ceremony-code.ts'
import { readCeremony } from './read-ceremony.ts'

/** Minimum between two offers of passkeys in the autofill, in milliseconds. */
const MIN_INTERVAL = 1000

function show(id: string, code: string | null): void {
  const element = document.getElementById(id)
  if (!element) return
  const { texts = '{}' } = document.getElementById('passkey-alert')?.dataset ?? {}
  element.hidden = code === null
  element.textContent = code === null ? '' : JSON.parse(texts)[code]
}

/** The field for the address of a new user, if it is in another form. */
function sharedAddress({ dataset }: HTMLFormElement): HTMLInputElement | null {
  const field = document.getElementById(dataset['address'] ?? '')
  return field instanceof HTMLInputElement ? field : null
}

/** What the user typed, without the values that the page adds. */
function typedFields(form: HTMLFormElement, action: CeremonyAction): Record<string, string> {
  const typed: Record<string, string> = {}
  for (const { name, type, value } of form.querySelectorAll('input'))
    if (type !== 'hidden' && name && value) typed[name] = value
  const address = sharedAddress(form)
  if (address && action === 'register') typed['email'] = address.value
  return { ...typed, action }
}

function loadOptions(form: HTMLFormElement, action: CeremonyAction): Promise<Ceremony> {
  const { routes: baseUrl = '', provider = '' } = form.dataset
  const routes = createRoutes({ baseUrl, basePath: '/' })
  return readCeremony(routes, provider, typedFields(form, action))
}

function reportError(error: unknown): CeremonyErrorCode {
  if (!(error instanceof CeremonyError)) {
    console.error(error)
    return 'failed'
  }
  logSiteError(error)
  return error.code
}

function submit(form: HTMLFormElement, proof: Proof): void {
  for (const [name, value] of Object.entries(proof)) {
    const input = form.elements.namedItem(name)
    if (input instanceof HTMLInputElement) input.value = value
  }
  // Not `form.submit`, because a field of the application can have this name.
  HTMLFormElement.prototype.submit.call(form)
}

/** Silent: the browser shows its own messages, and some reject at once if there is no passkey. */
async function offerAutofill(form: HTMLFormElement): Promise<void> {
  if (form.dataset['autofill'] === undefined || !(await browserSupportsWebAuthnAutofill())) return
  const begin = Date.now()
  try {
    submit(form, await runAutofill(() => loadOptions(form, 'authenticate')))
  } catch (error) {
    // Chromium can report no support for a page that is being left.
    if (!(await browserSupportsWebAuthnAutofill())) return
    const isCancelled = reportError(error) === 'cancelled'
    if (isCancelled && Date.now() - begin > MIN_INTERVAL) void offerAutofill(form)
  }
}

async function start(form: HTMLFormElement, action: CeremonyAction): Promise<void> {
  show('passkey-alert', null)
  try {
    submit(form, await runCeremony(() => loadOptions(form, action)))
  } catch (error) {
    const code = reportError(error)
    if (code === 'replaced') return
    show('passkey-alert', code)
    // It is above the methods, and the button that the user pressed may be at the end of a long page.
    document.getElementById('passkey-alert')?.scrollIntoView({ block: 'nearest' })
    void offerAutofill(form)
  }
}

function enable(form: HTMLFormElement): void {
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const address = sharedAddress(form)
    // The browser validates only the fields of the form that is submitted.
    if (address && !(address.value && address.reportValidity())) address.focus()
    else void start(form, 'register')
  })
  // The button among the other methods: a submit button there would be the one that the Enter key presses.
  for (const element of form.elements)
    if (element instanceof HTMLButtonElement && element.type === 'button')
      element.addEventListener('click', () => void start(form, 'authenticate'))
  void offerAutofill(form)
}

const missing = missingSupport()
// Replaces the text for browsers that do not run this script.
show('passkey-support', missing)
if (!missing) {
  for (const element of document.querySelectorAll<HTMLElement>('.passkey')) element.hidden = false
  for (const form of document.querySelectorAll<HTMLFormElement>('form.passkey')) enable(form)
}
