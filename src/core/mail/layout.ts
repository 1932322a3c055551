/** The HTML of all mails: tables and inline styles, as mail clients require. */
import { html } from '../pages/html.ts'
import type { Markup } from '../pages/html.ts'
import { safeColor, textOn } from '../pages/style.ts'
import type { Theme } from '../pages/theme.ts'

const FONT = 'font-family: Helvetica, Arial, sans-serif'

/** Of one line, because it is part of the subject. */
export function mailSiteName({ name }: Theme, host: string): string {
  return name?.replace(/[\s\p{C}]+/gu, ' ').trim() || host
}

/** Prevents mail clients from turning a host into a link with another target than the button. */
export function withoutLinks(text: string): string {
  return text.replaceAll('.', '\u200b.')
}

export function mailButton(theme: Theme, url: string, label: Markup): Markup {
  const brand = safeColor(theme.brandColor)
  const background = brand ?? '#346df1'
  const color = safeColor(theme.buttonText) ?? (brand ? textOn(brand) : '#ffffff')
  const button = `display: inline-block; padding: 12px 24px; border: 1px solid ${background}; border-radius: 6px; background: ${background}; color: ${color}; font-size: 18px; font-weight: bold; text-decoration: none; ${FONT}`
  return html`<p style="margin: 32px 0">
    <a href="${url}" target="_blank" style="${button}">${label}</a>
  </p>`
}

export interface MailPage {
  readonly lang: string
  /** In plain text, for programs that read the mail to the user. */
  readonly title: string
  readonly heading: Markup
  readonly body: Markup
  /** The last line. */
  readonly foot: Markup
}

export function mailPage({ lang, title, heading, body, foot }: MailPage): string {
  const table = `width: 100%; max-width: 600px; margin: 0 auto; border-radius: 12px; background: #ffffff; color: #1b1b1f; ${FONT}`
  return html`<!doctype html>
    <html lang="${lang}">
      <head>
        <meta charset="utf-8" />
        <title>${title}</title>
      </head>
      <body style="margin: 0; padding: 24px 12px; background: #f4f4f6">
        <table role="presentation" align="center" style="${table}">
          <tr>
            <td align="center" style="padding: 32px 24px">
              <h1 style="margin: 0; font-size: 22px; font-weight: normal">${heading}</h1>
              ${body}
              <p style="margin: 0; font-size: 14px; color: #5c5c66">${foot}</p>
            </td>
          </tr>
        </table>
      </body>
    </html> `.markup
}
