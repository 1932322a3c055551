import { addressForm } from './address-form.ts'
import { html, postForm, strong } from './html.ts'
import type { Html, Markup } from './html.ts'
import { page } from './layout.ts'
import { say } from './messages.ts'
import { buttonStyle, findLogo, signInButtons } from './sign-in-button.ts'
import { errorText, rejectedId } from './sign-in-error.ts'
import { openForm } from './sign-in-form.ts'
import type { FormsState } from './sign-in-form.ts'
import type { SignInChoice, SignInPage } from './sign-in-content.ts'

export interface StepUpPage extends Omit<SignInPage, 'signedIn' | 'email' | 'isSignedOut'> {
  /** Of the user, if it is known: mails are sent to no other one. */
  readonly address: string | null
  /** Address or name of the user; `null` if unknown. */
  readonly label: string | null
  /** Whether the other user of a merge signs in. */
  readonly isMerge: boolean
  /** Of the link "Cancel". */
  readonly homeUrl: string
  readonly signOutUrl: string
}

function mailButton(
  { theme, hidden, address }: StepUpPage,
  { provider: { name }, routes }: SignInChoice,
): Markup {
  const label = say(theme, 'stepUpMail', { provider: name, address: address ?? '' })
  const button = html`<button type="submit" class="button">${label}</button>`
  return postForm(routes.signinUrl, { ...hidden, email: address ?? '' }, button)
}

/** The address of the user of the session is known: only the password is left to type. */
function withAddress({ address, isMerge }: StepUpPage, choice: SignInChoice): SignInChoice {
  const { provider } = choice
  const { offer } = provider
  if (isMerge || address === null || offer.kind !== 'form' || !offer.passwords) return choice
  const { email, password } = offer.fields
  const fields = {
    email: { ...email, value: address },
    password: { ...password, autofocus: true },
  }
  return { ...choice, provider: { ...provider, offer: { ...offer, fields } } }
}

function notice(content: StepUpPage): Markup | null {
  const { theme, error, code, label, isMerge } = content
  if (error === 'AccountMergeError') return say(theme, 'mergeFailed')
  if (error !== 'StepUpRequired') return errorText(content)
  if (isMerge) return say(theme, code === 'same_user' ? 'mergeSameUser' : 'mergeNoUser')
  if (code === 'insufficient') return say(theme, 'stepUpInsufficient')
  return code === 'other_user'
    ? say(theme, 'stepUpOtherUser', { user: label === null ? undefined : strong(label) })
    : null
}

function ofKind(
  choices: readonly SignInChoice[],
  kind: SignInChoice['provider']['offer']['kind'],
): readonly SignInChoice[] {
  return choices.filter(({ provider: { offer } }) => offer.kind === kind)
}

/** The address of the user of the session, or a field for that of the other user. */
function mailForm(
  content: StepUpPage,
  emails: readonly SignInChoice[],
  state: FormsState,
): Markup | false {
  const [main] = emails
  if (!content.isMerge) return html`${emails.map((each) => mailButton(content, each))}`
  return main !== undefined && addressForm(content, { emails, main, password: undefined }, state)
}

/** What the user of the session can confirm their identity with, or the other user of a merge signs in with. */
export function stepUpPage(content: StepUpPage): Html {
  const { theme, choices, passkeys, label, homeUrl, signOutUrl, hidden, isMerge } = content
  const buttons = choices.filter(({ provider: { offer } }) =>
    ['button', 'passkey'].includes(offer.kind),
  )
  const forms = ofKind(choices, 'form')
  const rejected = rejectedId(content, forms)
  const text = rejected === null ? notice(content) : null
  const state = { rejected, sent: content.rejected?.form, offersAutofill: false }
  const formState = { ...state, hasNotice: text !== null }
  const passkeyForms = passkeys
    ? ofKind(choices, 'passkey').map(({ provider: { id }, routes }) =>
        passkeys.forms.passkeyProof(id, { ...routes, routesUrl: passkeys.routesUrl, hidden }),
      )
    : []
  return page({
    title: say(theme, isMerge ? 'mergeTitle' : 'stepUpTitle'),
    subtitle: html`${label !== null && html`${say(theme, 'signedInAs', { user: strong(label) })} `}${say(theme, isMerge ? 'mergeText' : 'stepUpText')}`,
    name: 'step-up',
    style:
      choices.map((choice, index) => buttonStyle(theme, choice, index)).join('') +
      (passkeys?.forms.PASSKEY_STYLE ?? ''),
    script: passkeys?.script,
    pictures: choices.map(findLogo),
    body: html`${text && html`<p id="notice" class="notice" role="alert">${text}</p>`}${passkeys?.forms.passkeyAlert(theme)}${signInButtons(content, choices, { hasPrimary: forms.length === 0 && buttons.length > 0 })}${mailForm(content, ofKind(choices, 'email'), formState)}${forms.map((each) => openForm(content, withAddress(content, each), formState))}${passkeyForms}${choices.length === 0 && html`<p class="muted foot">${say(theme, 'stepUpImpossible')}</p>`}${passkeys?.forms.passkeySupport(theme)}
      <p class="foot actions">
        <a class="link" href="${homeUrl}">${say(theme, 'cancel')}</a>
        ${!isMerge && html`<a class="link" href="${signOutUrl}">${say(theme, 'signOut')}</a>`}
      </p>`,
    ...content,
  })
}
