import type { VerificationRequest } from '../core/config/email.ts'
import { EmailSignInError } from '../core/errors/classes.ts'
import { html } from '../core/pages/html.ts'
import { safeColor, textOn } from '../core/pages/style.ts'

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

/** Of one line, because it is part of the subject. */
function siteName({ theme }: Content, host: string): string {
  return theme.name?.replace(/[\s\p{C}]+/gu, ' ').trim() || host
}

/** Prevents mail clients from turning a host into a link with another target than the button. */
function unlink(text: string): string {
  return text.replaceAll('.', '\u200b.')
}

/** Where to enter the code: a site of an attacker could pass it on (phishing). */
function codeAdvice({ expires }: Content, host: string): string {
  return `Enter the code only on ${host}, in the browser that requested it. It expires in ${minutesUntil(expires)}.`
}

/** Uses tables and inline styles, as mail clients require. */
function body(content: Content, host: string): string {
  const { url, theme, code } = content
  const brand = safeColor(theme.brandColor)
  const background = brand ?? '#346df1'
  const color = safeColor(theme.buttonText) ?? (brand ? textOn(brand) : '#ffffff')
  const font = 'font-family: Helvetica, Arial, sans-serif'
  const button = `display: inline-block; padding: 12px 24px; border: 1px solid ${background}; border-radius: 6px; background: ${background}; color: ${color}; font-size: 18px; font-weight: bold; text-decoration: none; ${font}`
  const digits =
    'font-family: ui-monospace, Menlo, Consolas, monospace; font-size: 32px; letter-spacing: 4px'
  const table = `width: 100%; max-width: 600px; margin: 0 auto; border-radius: 12px; background: #ffffff; color: #1b1b1f; ${font}`
  const name = unlink(siteName(content, host))
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>Sign in to ${name}</title>
      </head>
      <body style="margin: 0; padding: 24px 12px; background: #f4f4f6">
        <table role="presentation" align="center" style="${table}">
          <tr>
            <td align="center" style="padding: 32px 24px">
              <h1 style="margin: 0; font-size: 22px; font-weight: normal">
                Sign in to <strong>${name}</strong>
              </h1>
              ${
                hasLink(content) &&
                html`<p style="margin: 32px 0">
                  <a href="${url}" target="_blank" style="${button}">Sign in</a>
                </p>`
              }${
                code !== undefined &&
                html`<p style="margin: 32px 0 16px; ${digits}">${code}</p>
                  <p style="margin: 0 0 32px; font-size: 14px">
                    ${codeAdvice(content, unlink(host))}
                  </p>`
              }
              <p style="margin: 0; font-size: 14px; color: #5c5c66">
                If you did not request this e-mail, you can ignore it.
              </p>
            </td>
          </tr>
        </table>
      </body>
    </html> `.markup
}

/** Renders the sign-in mail. It does not contain the address, which an attacker could use to place text in the mail. */
export function signInMail(content: Content): Mail {
  const { url, code } = content
  const { host } = new URL(url)
  const subject = `Sign in to ${siteName(content, host)}`
  const link = hasLink(content) ? `\n${url}\n` : ''
  const digits = code === undefined ? '' : `\nCode: ${code}\n${codeAdvice(content, host)}\n`
  return { subject, text: `${subject}${link}${digits}\n`, html: body(content, host) }
}

const ONE_MAILBOX = /^[^\s\p{C}"(),:;<>@[\\\]]+@[^\s\p{C}"(),:;<>@[\\\]]+$/u

/** Rejects lists and header injection, which a custom `normalizeIdentifier` may let through. */
export function oneMailbox(identifier: string): string {
  if (ONE_MAILBOX.test(identifier)) return identifier
  throw new EmailSignInError(
    'The e-mail address is not a single plain address. Reject it in normalizeIdentifier.',
  )
}
