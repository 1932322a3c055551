import type { Theme } from '../config/types.ts'
import type { Html } from '../contracts.ts'
import { randomBase64Url } from '../crypto/random.ts'
import { html } from './html.ts'
import type { Markup } from './html.ts'
import { styleSheet } from './style.ts'

/** What every page consists of. */
export interface PageContent {
  readonly title: string
  /** Names the page for tests and style. */
  readonly name: 'signin' | 'signout' | 'error' | 'verify-request'
  readonly theme: Theme
  /** Rules for this page alone. */
  readonly style?: string
  /** URLs of pictures that it shows besides the logo of the theme. */
  readonly pictures?: readonly string[]
  /** Where its forms may lead. */
  readonly forms: 'none' | 'anywhere'
  readonly body: Markup
}

/** Where a picture is from, if its URL is one that a page may show: an origin, or `listed` where it always may. */
export function pictureSource(picture: string | undefined): string | null {
  if (!picture) return null
  const base = 'https://relative.invalid'
  const url = URL.canParse(picture, base) ? new URL(picture, base) : null
  if (url?.origin === base || url?.protocol === 'data:') return 'listed'
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url.origin : null
}

/** What the browser may load for this page: its one style sheet, and pictures. */
function contentSecurityPolicy(
  nonce: string,
  { forms, theme, pictures = [] }: PageContent,
): string {
  const sources = [theme.logo, ...pictures].map(pictureSource)
  const origins = new Set(sources.filter((source) => source && source !== 'listed'))
  return [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    ["img-src 'self' data:", ...origins].join(' '),
    "base-uri 'none'",
    "frame-ancestors 'none'",
    // Browsers hold redirects after a form against form-action too, and where a provider, or the redirect
    // callback, leads is not known here: so it is left out where there is a form.
    ...(forms === 'none' ? ["form-action 'none'"] : []),
  ].join('; ')
}

/** A whole page, and the policy it is to be served with. */
export function page(content: PageContent): Html {
  const { title, name, theme, style = '', body } = content
  const nonce = randomBase64Url()
  const { colorScheme = 'auto', brandColor, buttonText } = theme
  const sheet = { markup: styleSheet({ colorScheme, brandColor, buttonText }) + style }
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
      <body class="__lib-theme-${colorScheme}">
        <main class="page">
          <div class="${name}">
            <div class="card">${logo}${body}</div>
          </div>
        </main>
      </body>
    </html> `
  return { text: document.markup, policy: contentSecurityPolicy(nonce, content) }
}
