/** The page after a mail was sent: asks the user to open the link, or to enter the code. */
import type { EmailMethod } from '../config/email.ts'
import type { LimitOptions } from '../config/protection-options.ts'
import { durationText, mailLimitText } from './duration.ts'
import { attributes, html, postForm, strong, submitButton } from './html.ts'
import type { Html, Markup, PostForm } from './html.ts'
import { page } from './layout.ts'
import type { Site } from './layout.ts'
import { say, readText } from './messages.ts'
import type { PageMessage } from './messages.ts'

export interface ResendForm extends PostForm {
  readonly address: string
}

export interface CodeForm extends PostForm {
  readonly address: string
  /** Until the code expires. */
  readonly minutes: number
  /** Number of digits; `null` if the code has other characters. */
  readonly digits: number | null
}

export interface VerifyRequestPage extends Site {
  readonly homeUrl: string
  readonly signInUrl: string
  /** What the mail contains. @default 'link' */
  readonly method?: EmailMethod | undefined
  /** `null` for a browser that has not typed the address. */
  readonly resend?: ResendForm | null
  /** `null` for a browser that has not requested a code, or has used up its tries. */
  readonly code?: CodeForm | null
  /** Whether the code that was entered last was rejected. */
  readonly isRejected?: boolean
  readonly mailLimit?: LimitOptions | null
  /** How many mails this browser has requested for the address. */
  readonly mailsRequested?: number
}

const SENT: Readonly<Record<EmailMethod, readonly [PageMessage, PageMessage]>> = {
  link: ['linkSent', 'linkSentTo'],
  code: ['codeSent', 'codeSentTo'],
  both: ['linkAndCodeSent', 'linkAndCodeSentTo'],
}

/** The indent has the width of the space after the last digit, so that the digits are centred. */
const STYLE = `
#code { min-height: 3.25rem; padding: 0.5rem 0; text-align: center; font: 600 min(1.5rem, 10vw)/1 ui-monospace, SFMono-Regular, Menlo, monospace; letter-spacing: 0.25em; text-indent: 0.25em; }
#code[inputmode] { letter-spacing: 0.5em; text-indent: 0.5em; }
#code[aria-invalid] { margin-bottom: 0.875rem; }
`

/** Accepts the spaces and dashes of a code that was copied in groups, so it has no maximum length. */
function codeField({ theme }: Site, { digits }: CodeForm, isRejected: boolean): Markup {
  const numeric = digits !== null && {
    inputmode: 'numeric',
    pattern: `[\\s\\p{Pd}]*(?:\\p{Nd}[\\s\\p{Pd}]*){${digits}}`,
    title: readText(theme, 'codeFormat').replaceAll('{digits}', String(digits)),
    placeholder: '·'.repeat(digits),
  }
  const invalid = isRejected && { 'aria-invalid': 'true', 'aria-describedby': 'code-error' }
  const all = {
    id: 'code',
    name: 'code',
    type: 'text',
    autocomplete: 'one-time-code',
    ...numeric,
    autocapitalize: 'off',
    spellcheck: 'false',
    required: true,
    autofocus: true,
    ...invalid,
  }
  const error = html`<p class="hint" id="code-error" role="alert">${say(theme, 'codeRejected')}</p>`
  return html`<label for="code">${say(theme, 'code')}</label
    ><input${attributes(all)} />${isRejected && error}`
}

function codeForm(content: VerifyRequestPage, code: CodeForm): Markup {
  const { theme, isRejected = false } = content
  const field = codeField(content, code, isRejected)
  return postForm(code.action, code.hidden, html`${field}${submitButton(say(theme, 'signIn'))}`)
}

/** Sends the mail again, or leads to another address: in one line. */
function otherActions(
  { theme, resend = null, signInUrl }: VerifyRequestPage,
  isOnlyButton: boolean,
): Markup {
  const id = attributes({ id: isOnlyButton ? 'submitButton' : undefined })
  const again = html`<button${id} type="submit" class="link">${say(theme, 'sendAgain')}</button>`
  return html`<div class="foot actions">
    ${resend && postForm(resend.action, resend.hidden, again)}<a class="link" href="${signInUrl}"
      >${say(theme, 'anotherAddress')}</a
    >
  </div>`
}

/** After the last try, after the code has expired, and in another browser. */
function rejectedPage(content: VerifyRequestPage): Html {
  const { homeUrl, signInUrl, resend = null, ...site } = content
  const { theme, host } = site
  const hint = mailLimitText(content)
  const signIn = html`<a class="button primary" href="${signInUrl}">${say(theme, 'signIn')}</a>`
  const again = submitButton(say(theme, 'sendNewCode'))
  return page({
    title: say(theme, 'verificationTitle'),
    subtitle: resend !== null && strong(resend.address),
    name: 'verify-request',
    body: html`<p class="notice" role="alert">${say(theme, 'codeUnusable')}</p>
      ${
        resend
          ? html`${postForm(resend.action, resend.hidden, again)}${otherActions({ ...content, resend: null }, false)}`
          : signIn
      }${hint && html`<p class="foot">${hint}</p>`}
      <p class="foot"><a class="site" href="${homeUrl}">${host}</a></p>`,
    ...site,
  })
}

export function verifyRequestPage(content: VerifyRequestPage): Html {
  const { homeUrl, method = 'link', resend = null, code = null, ...site } = content
  if (content.isRejected && !code) return rejectedPage(content)
  const { theme, host } = site
  const typed = code?.address ?? resend?.address
  const [sent, sentTo] = SENT[code && method === 'link' ? 'code' : method]
  const { minutes = 10 } = code ?? {}
  const values = { time: durationText(theme, minutes * 60), minutes: String(minutes) }
  const address = typed !== undefined && strong(typed)
  return page({
    title: say(theme, 'checkMailTitle'),
    subtitle: address ? say(theme, sentTo, { address, ...values }) : say(theme, sent),
    name: 'verify-request',
    style: code ? STYLE : '',
    body: html`${
        code
          ? codeForm(content, code)
          : method !== 'link' && html`<p class="status">${say(theme, 'codeElsewhere')}</p>`
      }${otherActions(content, code === null)}
      <p class="foot">
        ${say(theme, method === 'link' && !code ? 'noMail' : 'noCode')} ${mailLimitText(content)}
      </p>
      <p class="foot"><a class="site" href="${homeUrl}">${host}</a></p>`,
    ...site,
  })
}
