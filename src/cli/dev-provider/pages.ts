/** The pages of the provider: who signs in, and whether the application may know. */
import { html, postForm } from '../../core/pages/html.ts'
import type { Markup } from '../../core/pages/html.ts'
import { page } from '../../core/pages/layout.ts'
import type { AuthorizationRequest } from './request.ts'
import { USERS } from './users.ts'
import type { User } from './users.ts'

const THEME = { name: 'Dev provider' }
const STYLE = 'form { display: grid; gap: 0.5rem; }'

interface Content {
  readonly status?: number
  readonly subtitle: Markup
  readonly body: Markup
}

function respond(title: string, { status = 200, subtitle, body }: Content): Response {
  const content = {
    title: html`${title}`,
    subtitle,
    body,
    name: 'signin',
    theme: THEME,
    style: STYLE,
  } as const
  const { text, policy } = page(content)
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
  }
  return new Response(text, { status, headers })
}

function button(name: string, value: string, label: string, kind = ''): Markup {
  return html`<button class="button ${kind}" name="${name}" value="${value}">${label}</button>`
}

const CANCEL = button('decision', 'deny', 'Cancel', 'quiet')

export function signInPage({ query }: AuthorizationRequest): Response {
  const users = USERS.map(({ sub, name, email_verified: isVerified }, index) => {
    const label = isVerified ? name : `${name} (unverified e-mail)`
    return button('user', sub, label, index === 0 ? 'primary' : '')
  })
  return respond('Who signs in?', {
    subtitle: html`This provider runs on your machine and asks for no password.`,
    body: postForm('', { query: String(query) }, html`${users}${CANCEL}`),
  })
}

const DATA: Readonly<Record<string, (user: User) => string>> = {
  profile: ({ name }) => `name: ${name}`,
  email: ({ email }) => `e-mail address: ${email}`,
}

export function consentPage(
  { query, redirectUri, scopes }: AuthorizationRequest,
  user: User,
): Response {
  const data = scopes.flatMap((scope) =>
    Object.hasOwn(DATA, scope) ? [html`<li>${DATA[scope]?.(user)}</li>`] : [],
  )
  const allow = button('decision', 'allow', 'Allow', 'primary')
  const hidden = { query: String(query), user: user.sub }
  return respond(`Sign in to ${redirectUri.host}?`, {
    subtitle: html`The application at <strong>${redirectUri.origin}</strong> will receive:`,
    body: html`<ul>
        <li>user id: ${user.sub}</li>
        ${data}
      </ul>
      ${postForm('', hidden, html`${allow}${CANCEL}`)}`,
  })
}

export function rejectionPage(reason: string): Response {
  return respond('The request is not accepted', {
    status: 400,
    subtitle: html`${reason}`,
    body: html``,
  })
}
