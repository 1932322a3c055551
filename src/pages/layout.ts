import type { Theme } from '../config/types.ts'
import type { Html } from '../contracts.ts'
import { randomBase64Url } from '../crypto/digest.ts'
import { html } from './html.ts'
import type { Markup } from './html.ts'
import { styleSheet } from './style.ts'

export interface PageContent {
  readonly title: string
  readonly name: 'signin' | 'signout' | 'error' | 'verify-request'
  readonly theme: Theme
  readonly style?: string
  readonly pictures?: readonly (string | undefined)[]
  readonly body: Markup
}

/** CSP source of an image; `null` if its URL is invalid or has another scheme than http, https or data. */
export function pictureSource(picture: string | undefined): string | null {
  const base = 'https://relative.invalid'
  const url = picture && URL.canParse(picture, base) ? new URL(picture, base) : null
  if (url?.origin === base) return "'self'"
  if (url?.protocol === 'data:') return url.protocol
  return url && /^https?:$/.test(url.protocol) ? url.origin : null
}

function contentSecurityPolicy(nonce: string, content: PageContent): string {
  const { theme, pictures = [], body } = content
  const sources = [theme.logo, ...pictures].flatMap((picture) => pictureSource(picture) ?? [])
  return [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    ['img-src', ...new Set(["'self'", 'data:', ...sources])].join(' '),
    "base-uri 'none'",
    "frame-ancestors 'none'",
    // Browsers apply form-action to redirects after a form, too, and their targets (providers, redirect callback) are
    // unknown.
    ...(body.markup.includes('<form') ? [] : ["form-action 'none'"]),
  ].join('; ')
}

export function page(content: PageContent): Html {
  const { title, name, theme, style = '', body } = content
  const nonce = randomBase64Url()
  const sheet = { markup: styleSheet(theme) + style }
  const logo =
    pictureSource(theme.logo) && html`<img class="logo" src="${theme.logo}" alt="Logo" />`
  const document = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        <style nonce="${nonce}">
          ${sheet}
        </style>
      </head>
      <body class="__lib-theme-${theme.colorScheme ?? 'auto'}">
        <main class="page">
          <div class="${name}">
            <div class="card">${logo}${body}</div>
          </div>
        </main>
      </body>
    </html> `
  return { text: document.markup, policy: contentSecurityPolicy(nonce, content) }
}
