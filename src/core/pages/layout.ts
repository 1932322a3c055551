import type { Theme } from './theme.ts'
import { randomBase64Url } from '../crypto/digest.ts'
import { html } from './html.ts'
import type { Html, Markup } from './html.ts'
import { say } from './messages.ts'
import { styleSheet } from './style.ts'

/** What all pages of a site have in common. */
export interface Site {
  readonly theme: Theme
  /** Absent if the origin of the site is unknown. */
  readonly host?: string | undefined
}

export interface PageContent extends Site {
  readonly title: Markup
  /** Follows the heading. */
  readonly subtitle?: Markup | false
  readonly name:
    'signin' | 'signout' | 'step-up' | 'error' | 'verify-request' | 'password' | 'confirm'
  readonly style?: string
  readonly pictures?: readonly (string | undefined)[]
  readonly body: Markup
  /** Runs at the end of the page; it may send requests to the site. */
  readonly script?: string | undefined
}

/** CSP source of an image; `null` if its URL is invalid or has another scheme than http, https or data. */
export function pictureSource(picture: unknown): string | null {
  const base = 'https://relative.invalid'
  const text = typeof picture === 'string' ? picture : ''
  const url = text && URL.canParse(text, base) ? new URL(text, base) : null
  if (url?.origin === base) return "'self'"
  if (url?.protocol === 'data:') return url.protocol
  return url && /^https?:$/.test(url.protocol) ? url.origin : null
}

function contentSecurityPolicy(nonce: string, content: PageContent): string {
  const { theme, pictures = [], body, script } = content
  const sources = [theme.logo, ...pictures].flatMap((picture) => pictureSource(picture) ?? [])
  return [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    ...(script ? [`script-src 'nonce-${nonce}'`, "connect-src 'self'"] : []),
    ['img-src', ...new Set(["'self'", 'data:', ...sources])].join(' '),
    "base-uri 'none'",
    "frame-ancestors 'none'",
    // Browsers also apply form-action to redirects after a form, whose targets are unknown.
    ...(body.markup.includes('<form') ? [] : ["form-action 'none'"]),
  ].join('; ')
}

export function describeSite({
  config,
  origin,
}: {
  readonly config: Pick<Site, 'theme'>
  readonly origin: string
}): Required<Site> {
  return { theme: config.theme, host: new URL(origin).host }
}

export function siteName({ theme, host }: Site): string | undefined {
  return theme.name || host
}

/** Without an icon, browsers request `/favicon.ico`, which many applications do not have. */
function icon({ theme }: Site): Markup {
  return html`<link rel="icon" href="${pictureSource(theme.logo) ? theme.logo : 'data:,'}" />`
}

/** The logo, or the initial of the application. */
function brand(site: Site): Markup | false {
  const { theme } = site
  if (pictureSource(theme.logo))
    return html`<img class="logo" src="${theme.logo}" alt="${say(theme, 'logo')}" />`
  const [initial = ''] = siteName(site) ?? ''
  return (
    initial !== '' && html`<div class="brand" aria-hidden="true">${initial.toUpperCase()}</div>`
  )
}

export function page(content: PageContent): Html {
  const { title, subtitle, name, theme, style = '', body, script } = content
  const nonce = randomBase64Url()
  const sheet = { markup: styleSheet(theme) + style }
  // Not in a tagged template: the build would call a helper that is not in the package.
  const code = script && { markup: `<script nonce="${nonce}">${script}</script>` }
  const document = html`<!doctype html>
    <html lang="${say(theme, 'lang')}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        ${icon(content)}
        <style nonce="${nonce}">
          ${sheet}
        </style>
      </head>
      <body class="__lib-theme-${theme.colorScheme ?? 'auto'}">
        <main class="page">
          <div class="${name}">
            <div class="card">
              ${brand(content)}
              <h1>${title}</h1>
              ${subtitle && html`<p class="sub">${subtitle}</p>`}${body}
            </div>
          </div>
        </main>
        ${code}
      </body>
    </html> `
  return { text: document.markup, policy: contentSecurityPolicy(nonce, content) }
}
