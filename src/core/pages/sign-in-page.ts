import { html, strong } from './html.ts'
import type { Html, Markup } from './html.ts'
import { page, siteName } from './layout.ts'
import { mailLimitText } from './duration.ts'
import { say } from './messages.ts'
import {
  enterButton,
  mainForm,
  rememberBox,
  REMEMBER_SCRIPT,
  REMEMBER_STYLE,
} from './remember-box.ts'
import { problemBox, PROBLEM_STYLE } from './problem.ts'
import type { SignInChoice, SignInPage } from './sign-in-content.ts'
import { errorText, isNotLinked, rejectedId } from './sign-in-error.ts'
import { buttonStyle, isGuest, findLogo, signInButtons } from './sign-in-button.ts'
import { addressFieldOf, closedForm, openForm, passkeyCreation } from './sign-in-form.ts'
import type { FormsState } from './sign-in-form.ts'
import { addressForm, enterAction, sharesAddress } from './address-form.ts'

function isKind(...kinds: SignInChoice['provider']['offer']['kind'][]) {
  return ({ provider: { offer } }: SignInChoice): boolean => kinds.includes(offer.kind)
}

/** A guest has no form, but a button. */
function isForm(choice: SignInChoice): boolean {
  return isKind('email', 'form')(choice) && !isGuest(choice)
}

const isPasskey = isKind('passkey')

/** At most one form is open: none if there is a provider of type `email`, whose address `password` shares. */
function arrange(offered: readonly SignInChoice[], sent: string | undefined) {
  const emails = offered.filter(isKind('email'))
  const forms = offered.filter((each) => isKind('form')(each) && !isGuest(each))
  const hasEmail = emails.length > 0
  const password = hasEmail ? forms.find(sharesAddress) : undefined
  const used = forms.find(({ provider: { id } }) => id === sent)
  const open = hasEmail ? undefined : (used ?? forms[0])
  const closed = forms.filter((each) => each !== password && each !== open)
  return { emails, password, open, closed }
}

function separator({ theme }: SignInPage, buttons: readonly SignInChoice[]): Markup | false {
  if (buttons.length === 0) return false
  // In a browser without passkeys, there is nothing to separate.
  const hidden = buttons.every(isPasskey) ? html`class="or passkey" hidden` : html`class="or"`
  return html`<div ${hidden} role="separator">${say(theme, 'or')}</div>`
}

interface MainForm {
  readonly main: SignInChoice | undefined
  readonly password: SignInChoice | undefined
  readonly open: SignInChoice | undefined
}

/** What precedes the buttons, which submit the main form: the box, or the button that the Enter key presses. */
function beginMainForm(content: SignInPage, { main, password, open }: MainForm): Markup {
  const { theme, hidden, choices } = content
  // Each button has a URL of its own.
  const action = choices[0]?.routes.signinUrl ?? ''
  const enter = main && password ? enterAction(main, password) : null
  if (main || open) return enterButton(say(theme, 'signIn'), enter)
  return mainForm(action, hidden, html`${rememberBox(content)}`)
}

/** The buttons, then the form for an address or password, then other forms, whatever the order of the providers. */
function methods(content: SignInPage, offered: readonly SignInChoice[], rejected: string | null) {
  const { passkeys } = content
  const sent = rejected ?? content.rejected?.form
  const { emails, password, open, closed } = arrange(offered, sent)
  const offersAutofill = offered.some(
    ({ provider: { offer } }) => offer.kind === 'passkey' && offer.autofill,
  )
  const hasNotice = rejected === null && Boolean(content.error)
  const state: FormsState = { rejected, sent, offersAutofill, hasNotice }
  const hasForm = emails.length > 0 || open !== undefined
  const buttons = offered.filter((each) => !isForm(each) && (passkeys || !isPasskey(each)))
  const [main] = emails
  const shared = main ?? open
  const address = shared ? addressFieldOf(shared) : null
  return html`${content.remember !== undefined && beginMainForm(content, { main, password, open })}${signInButtons(content, offered, { hasPrimary: !hasForm })}${
    hasForm && separator(content, buttons)
  }${main && addressForm(content, { emails, main, password }, state)}${
    open && openForm(content, open, state)
  }${closed.map((each) => closedForm(content, each, state))}${offered
    .filter(isPasskey)
    .flatMap((each) => passkeyCreation(content, each, address) ?? [])}`
}

/** Who is signed in already, and how to go on with another account or without it. */
function signedInStatus({ theme, error, signedIn }: SignInPage): Markup | null {
  if (!signedIn) return null
  const { label, signOutUrl, returnTo } = signedIn
  const actions = html`<p class="foot actions">
    <a class="link" href="${signOutUrl}">${say(theme, 'signOut')}</a>
    <a class="link" href="${returnTo}">${say(theme, 'staySignedIn')}</a>
  </p>`
  // The notice names the user.
  if (isNotLinked(error)) return actions
  const user = label !== null && strong(label)
  return html`<div class="status">
    ${user && html`<p>${say(theme, 'signedInAs', { user })}</p>`}${actions}
  </div>`
}

function signUpLink({ theme, passwordPages }: SignInPage): Markup | false {
  const url = passwordPages?.signUpUrl
  if (!url) return false
  return html`<p class="foot"><a href="${url}">${say(theme, 'createAccount')}</a></p>`
}

/** Whether a form has fields that the main form must not send, so that a script adds the box to it. */
function hasOtherForm(offered: readonly SignInChoice[], { passkeys }: SignInPage): boolean {
  const { closed } = arrange(offered, undefined)
  return (
    closed.length > 0 || offered.some(isGuest) || (passkeys && offered.some(isPasskey)) === true
  )
}

function pageScript(content: SignInPage, offered: readonly SignInChoice[]): string | undefined {
  const { passkeys, remember } = content
  const added = remember !== undefined && hasOtherForm(offered, content) && REMEMBER_SCRIPT
  return added ? `${added}${passkeys?.script ?? ''}` : passkeys?.script
}

export function signInPage(content: SignInPage): Html {
  const { theme, choices, passkeys } = content
  const offered = choices.filter(({ provider }) => provider.offer.kind !== 'none')
  const rejected = rejectedId(content, offered.filter(isForm))
  // The status of a sign-out says more than that a session is required.
  const isAnnounced = content.isSignedOut && content.error === 'SessionRequired'
  const notice = rejected === null && !isAnnounced ? errorText(content) : null
  const mailHint = mailLimitText(content)
  const forms = offered.some(isPasskey) ? passkeys?.forms : undefined
  return page({
    title: say(theme, 'signInTitle', { site: siteName(content) }),
    subtitle: offered.length > 1 && say(theme, 'chooseMethod'),
    name: 'signin',
    style:
      offered.map((choice, index) => buttonStyle(theme, choice, index)).join('') +
      (forms?.PASSKEY_STYLE ?? '') +
      (content.remember === undefined ? '' : REMEMBER_STYLE) +
      (content.problem ? PROBLEM_STYLE : ''),
    script: pageScript(content, offered),
    pictures: offered.map(findLogo),
    body: html`${content.isSignedOut && (isAnnounced || !content.error) && html`<p class="status" role="status">${say(theme, 'signedOut')}</p>`}${notice && html`<p id="notice" class="notice" role="alert">${notice}</p>`}${signedInStatus(content)}${notice && problemBox(content.problem)}${forms?.passkeyAlert(theme)}${
      offered.length > 0
        ? methods(content, offered, rejected)
        : html`<p class="muted foot">${say(theme, 'noMethods')}</p>`
    }${signUpLink(content)}${forms?.passkeySupport(theme)}${mailHint && html`<p class="foot">${mailHint}</p>`}${!notice && problemBox(content.problem)}`,
    ...content,
  })
}
