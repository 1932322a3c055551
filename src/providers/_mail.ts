import type { EmailConfig, VerificationRequest } from '../core/config/email.ts'
import { EmailSignInError, InvalidConfiguration } from '../core/errors/classes.ts'
import { mailButton, mailPage, mailSiteName, withoutLinks } from '../core/mail/layout.ts'
import { isOneMailbox } from '../core/mail/one-mailbox.ts'
import { html } from '../core/pages/html.ts'

export interface Mail {
  readonly subject: string
  readonly text: string
  readonly html: string
}

type Content = Pick<VerificationRequest, 'url' | 'theme' | 'token' | 'code' | 'expires'>

/** Whether the mail contains a link: without one, the token is the code. */
export function hasLink({ code, token }: Pick<Content, 'code' | 'token'>): boolean {
  return code !== token
}

function minutesUntil(expires: Date): string {
  const minutes = Math.round((expires.getTime() - Date.now()) / 60_000)
  return minutes > 1 ? `${minutes} minutes` : 'one minute'
}

/** Where to enter the code: a site of an attacker could pass it on (phishing). */
function codeAdvice({ expires }: Content, host: string): string {
  return `Enter the code only on ${host}, in the browser that requested it. It expires in ${minutesUntil(expires)}.`
}

const DIGITS =
  'font-family: ui-monospace, Menlo, Consolas, monospace; font-size: 32px; letter-spacing: 4px'

function body(content: Content, host: string): string {
  const { url, theme, code } = content
  const name = withoutLinks(mailSiteName(theme, host))
  const advice = codeAdvice(content, withoutLinks(host))
  const digits =
    code !== undefined &&
    html`<p style="margin: 32px 0 16px; ${DIGITS}">${code}</p>
      <p style="margin: 0 0 32px; font-size: 14px">${advice}</p>`
  return mailPage({
    lang: 'en',
    title: `Sign in to ${name}`,
    heading: html`Sign in to <strong>${name}</strong>`,
    body: html`${hasLink(content) && mailButton(theme, url, html`Sign in`)}${digits}`,
    foot: html`If you did not request this e-mail, you can ignore it.`,
  })
}

/** Renders the sign-in mail. It does not contain the address, which an attacker could use to place text in the mail. */
export function signInMail(content: Content): Mail {
  const { url, code } = content
  const { host } = new URL(url)
  const subject = `Sign in to ${mailSiteName(content.theme, host)}`
  const link = hasLink(content) ? `\n${url}\n` : ''
  const digits = code === undefined ? '' : `\nCode: ${code}\n${codeAdvice(content, host)}\n`
  return { subject, text: `${subject}${link}${digits}\n`, html: body(content, host) }
}

/** Rejects lists and header injection, which a custom `normalizeIdentifier` may let through. */
export function oneMailbox(identifier: string): string {
  if (isOneMailbox(identifier)) return identifier
  throw new EmailSignInError(
    'The e-mail address is not a single plain address. Reject it in normalizeIdentifier.',
  )
}

/** @throws InvalidConfiguration if it is not set, and the host of the site is unknown */
export function senderOf({ id, from }: EmailConfig, host: string | undefined): string {
  if (from !== undefined) return from
  if (host !== undefined) return `no-reply@${host}`
  throw new InvalidConfiguration(
    `Provider ${id} has no sender, and a mail was sent outside of a request. Set from.`,
  )
}
