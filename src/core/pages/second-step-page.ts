/** The pages of a sign-in that waits for its second step. */
import { durationText } from './duration.ts'
import { attributes, html, postForm, submitButton } from './html.ts'
import type { HiddenInputs, Html, Markup } from './html.ts'
import { page } from './layout.ts'
import type { Site } from './layout.ts'
import { readText, say } from './messages.ts'
import type { PageMessage } from './messages.ts'
import { REMEMBER_STYLE } from './remember-box.ts'
import type { SignInChoice, SignInPage } from './sign-in-content.ts'

interface CodePage extends Site {
  readonly action: string
  readonly hidden: HiddenInputs
  /** Begins another sign-in. */
  readonly signInUrl: string
  readonly rejected: 'code' | 'limit' | null
  /** Seconds, of an exhausted limit. */
  readonly retryAfter: number
}

export interface SecondStepPage extends CodePage {
  readonly kind: 'app' | 'recovery'
  /** The page for the other kind; `null` if the user has only one. */
  readonly otherUrl: string | null
  /** Seconds for which the user can choose not to be asked; `null`: they cannot. */
  readonly remembers: number | null
  /** Those with which the user can confirm who they are instead. */
  readonly passkeys?: SignInPage['passkeys']
  readonly passkeyChoices: readonly SignInChoice[]
  /** Of the forms of passkeys. */
  readonly passkeyHidden: HiddenInputs
}

export interface EnrollPage extends CodePage {
  readonly secret: string
  readonly uri: string
  /** An SVG document. */
  readonly qrCode: string
}

const STYLE = `
#code[inputmode] { min-height: 3.25rem; padding: 0.5rem 0; text-align: center; font: 600 min(1.5rem, 10vw)/1 ui-monospace, SFMono-Regular, Menlo, monospace; letter-spacing: 0.5em; text-indent: 0.5em; }
.qr { width: min(12rem, 100%); margin: 0 auto 1rem; border-radius: 0.625rem; overflow: hidden; }
p.center { text-align: center; text-wrap: balance; }
.qr > svg { display: block; width: 100%; height: auto; }
code { overflow-wrap: anywhere; font: 0.9375rem/1.6 ui-monospace, SFMono-Regular, Menlo, monospace; color: var(--text); }
.codes { margin: 0 0 1.25rem; padding: 0.75rem; list-style: none; text-align: center; background: var(--control-hover); border-radius: 0.625rem; }
.codes > li + li { margin-top: 0.375rem; }
${REMEMBER_STYLE}`

const NUMERIC = {
  inputmode: 'numeric',
  pattern: '[\\s\\p{Pd}]*(?:\\p{Nd}[\\s\\p{Pd}]*){6}',
  placeholder: '······',
  autocomplete: 'one-time-code',
}

function codeField(
  { theme, rejected }: CodePage,
  { isNumeric, label, hint }: { isNumeric: boolean; label: PageMessage; hint: PageMessage },
): Markup {
  const invalid = rejected === 'code' && {
    'aria-invalid': 'true',
    'aria-describedby': 'code-error',
  }
  const format = isNumeric && {
    ...NUMERIC,
    title: readText(theme, 'codeFormat').replaceAll('{digits}', '6'),
  }
  const all = {
    id: 'code',
    name: 'code',
    type: 'text',
    autocomplete: 'off',
    ...format,
    autocapitalize: 'off',
    spellcheck: 'false',
    required: true,
    autofocus: true,
    ...invalid,
  }
  const error = html`<p class="hint" id="code-error" role="alert">${say(theme, hint)}</p>`
  return html`<label for="code">${say(theme, label)}</label
    ><input${attributes(all)} />${rejected === 'code' && error}`
}

function limitNotice({ theme, rejected, retryAfter }: CodePage): Markup | false {
  if (rejected !== 'limit') return false
  const text = retryAfter
    ? say(theme, 'tooManyAttempts', { time: durationText(theme, retryAfter) })
    : say(theme, 'tooManyAttemptsLater')
  return html`<p class="notice" role="alert">${text}</p>`
}

function deviceBox({ theme, remembers }: SecondStepPage): Markup | false {
  if (remembers === null) return false
  const label = say(theme, 'rememberDevice', { time: durationText(theme, remembers) })
  return html`<label class="check"
    ><input type="checkbox" name="rememberDevice" value="true" />${label}</label
  >`
}

function cancelLink({ theme, signInUrl }: CodePage): Markup {
  return html`<a class="link" href="${signInUrl}">${say(theme, 'cancel')}</a>`
}

export function secondStepPage(content: SecondStepPage): Html {
  const { theme, host, kind, action, hidden, otherUrl, passkeys, passkeyChoices } = content
  const isApp = kind === 'app'
  const site = theme.name ?? host
  const field = codeField(content, {
    isNumeric: isApp,
    label: isApp ? 'code' : 'recoveryCode',
    hint: isApp ? 'secondStepRejected' : 'recoveryRejected',
  })
  const other =
    otherUrl !== null &&
    html`<a class="link" href="${otherUrl}">${say(theme, isApp ? 'useRecoveryCode' : 'useApp')}</a>`
  const proofs = passkeys
    ? passkeyChoices.map(({ provider: { id, name }, routes }) => {
        const form = { ...routes, routesUrl: passkeys.routesUrl, hidden: content.passkeyHidden }
        const button = passkeys.forms.passkeyButton(theme, { id, name }, '')
        return html`${button}${passkeys.forms.passkeyProof(id, form)}`
      })
    : []
  return page({
    title: say(theme, isApp ? 'secondStepTitle' : 'recoveryTitle'),
    subtitle: say(theme, isApp ? 'secondStepText' : 'recoveryText', { site }),
    name: 'step-up',
    style: STYLE + (passkeys?.forms.PASSKEY_STYLE ?? ''),
    script: passkeys?.script,
    body: html`${limitNotice(content)}${passkeys?.forms.passkeyAlert(theme)}${postForm(action, hidden, html`${field}${deviceBox(content)}${submitButton(say(theme, 'continue'))}`)}${proofs}
      <p class="foot actions">${other}${cancelLink(content)}</p>`,
    theme,
    host,
  })
}

/** Groups of four, as authenticator apps show a key. */
function grouped(secret: string): string {
  return secret.replace(/(.{4})(?=.)/g, '$1 ')
}

export function enrollPage(content: EnrollPage): Html {
  const { theme, host, action, hidden, secret, uri, qrCode } = content
  const field = codeField(content, { isNumeric: true, label: 'code', hint: 'enrollRejected' })
  return page({
    title: say(theme, 'enrollTitle'),
    subtitle: say(theme, 'enrollText'),
    name: 'step-up',
    style: STYLE,
    body: html`${limitNotice(content)}
      <div class="qr" role="img" aria-label="${readText(theme, 'qrCode')}">
        ${{ markup: qrCode }}
      </div>
      <p class="muted center">${say(theme, 'appKey')}: <code>${grouped(secret)}</code></p>
      <p class="foot"><a class="link" href="${uri}">${say(theme, 'openApp')}</a></p>
      ${postForm(action, hidden, html`${field}${submitButton(say(theme, 'continue'))}`)}
      <p class="foot actions">${cancelLink(content)}</p>`,
    theme,
    host,
  })
}

/** After a first authenticator app was added: the codes are shown once. */
export function recoveryCodesPage(
  { theme, host }: Site,
  { codes, continueUrl }: { readonly codes: readonly string[]; readonly continueUrl: string },
): Html {
  return page({
    title: say(theme, 'recoveryCodesTitle'),
    subtitle: say(theme, 'recoveryCodesText'),
    name: 'step-up',
    style: STYLE,
    body: html`<ul class="codes">
        ${codes.map((code) => html`<li><code>${code}</code></li>`)}
      </ul>
      <a class="button primary" href="${continueUrl}">${say(theme, 'continue')}</a>`,
    theme,
    host,
  })
}
