// The pages of the provider: sign-in and consent, which post to the routes of `devInteractions`, and sign-out.
import { USERS } from './users.mjs'

const STYLE = `
:root {
  color-scheme: light dark;
  --background: light-dark(#fafafa, #0a0a0b);
  --card: light-dark(#ffffff, #151517);
  --text: light-dark(#171717, #f4f4f5);
  --muted: light-dark(#5e5e66, #a9a9b2);
  --line: light-dark(#8a8a94, #74747f);
  --separator: light-dark(#e8e8ec, #29292e);
  --control: light-dark(#ffffff, #1c1c1f);
  --control-hover: light-dark(#f5f5f6, #26262a);
  --primary: light-dark(#171717, #fafafa);
  --primary-text: light-dark(#ffffff, #18181b);
  --focus: light-dark(#2563eb, #7db0ff);
}
* { box-sizing: border-box; }
html { font: 100%/1.5 ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1rem; background: var(--background); color: var(--text); }
main { width: 100%; max-width: 24rem; padding: 2rem; background: var(--card); border: 1px solid var(--separator); border-radius: 1rem; box-shadow: 0 1px 2px rgb(0 0 0 / 5%), 0 12px 32px -12px rgb(0 0 0 / 12%); }
h1, p { text-align: center; overflow-wrap: anywhere; }
h1 { margin: 0; font-size: 1.25rem; line-height: 1.3; letter-spacing: -0.01em; font-weight: 650; }
p { margin: 0.25rem 0 1.5rem; color: var(--muted); }
strong { font-weight: 600; color: var(--text); }
.brand { display: grid; place-items: center; width: 2.5rem; height: 2.5rem; margin: 0 auto 1rem; border-radius: 0.625rem; background: var(--primary); color: var(--primary-text); font-weight: 700; }
form, .stack { display: grid; gap: 0.5rem; }
.or { display: flex; align-items: center; gap: 0.75rem; margin: 1.25rem 0; color: var(--muted); font-size: 0.8125rem; }
.or::before, .or::after { content: ""; flex: 1; border-top: 1px solid var(--separator); }
label { font-size: 0.875rem; font-weight: 550; }
input, button { width: 100%; min-height: 2.75rem; padding: 0.5rem 0.75rem; font: inherit; color: inherit; background: var(--control); border: 1px solid var(--line); border-radius: 0.625rem; }
button { font-size: 0.9375rem; font-weight: 550; cursor: pointer; }
button:hover { background: var(--control-hover); }
button.primary { background: var(--primary); border-color: var(--primary); color: var(--primary-text); }
a { display: block; margin-top: 1.25rem; text-align: center; font-size: 0.875rem; color: var(--muted); text-underline-offset: 3px; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
@media (max-width: 26rem) { main { padding: 1.25rem; } }
`

function escapeHtml(text) {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

function layout(title, content, cancelUrl) {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>${title} · Demo provider</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<div class="brand" aria-hidden="true">D</div>
<h1>${title}</h1>
${content}
${cancelUrl ? `<a href="${cancelUrl}">Cancel</a>` : ''}
</main>
</body>
</html>`
}

/** Asks who signs in: one of the users with one click, or any user name. */
function renderSignIn({ params }, path) {
  const users = Object.entries(USERS).map(([login, { name }], index) => {
    const first = index === 0 ? 'class="primary" autofocus' : ''
    return `<button name="login" value="${login}" ${first}>Continue as ${name}</button>`
  })
  const hint = escapeHtml(String(params.login_hint ?? ''))
  const title = 'Sign in to the demo provider'
  const content = `<p>It runs on this machine and needs no password.</p>
<form action="${path}" method="post">
<input type="hidden" name="prompt" value="login">
${users.join('\n')}
</form>
<div class="or">or</div>
<form action="${path}" method="post">
<input type="hidden" name="prompt" value="login">
<label for="login">Any user name</label>
<input id="login" name="login" value="${hint}" autocomplete="off" required>
<button>Sign in</button>
</form>`
  return layout(title, content, `${path}/abort`)
}

/** Asks whether the client may receive the profile of the user, and what else it requests. */
function renderConsent({ params, session }, path) {
  const isCalendar = String(params.scope).split(' ').includes('calendar')
  const calendar = isCalendar ? ' It can also read the calendar.' : ''
  const content = `<p>It will receive the name and e-mail address of <strong>${escapeHtml(session.accountId)}</strong>.${calendar}</p>
<form action="${path}" method="post">
<input type="hidden" name="prompt" value="consent">
<button class="primary" autofocus>Continue</button>
</form>`
  return layout(`Allow ${escapeHtml(params.client_id)} to sign you in?`, content, `${path}/abort`)
}

/** Asks whether to end the session here, too. `form` is that of the provider, without buttons. */
export function showSignOut(ctx, form) {
  const content = `<p>You have signed out of the site.</p>
${form}
<div class="stack">
<button class="primary" form="op.logoutForm" name="logout" value="yes" autofocus>Sign out</button>
<button form="op.logoutForm">Stay signed in</button>
</div>`
  ctx.body = layout('Sign out of the demo provider, too?', content)
}

const PAGES = { login: renderSignIn, consent: renderConsent }

/** Middleware of the provider: replaces its pages. */
export function showPages(provider) {
  provider.use(async (ctx, next) => {
    await next()
    const isPage = ctx.method === 'GET' && /^\/interaction\/[^/]+$/.test(ctx.path)
    if (!isPage || ctx.status !== 200) return
    const details = await provider.interactionDetails(ctx.req, ctx.res)
    ctx.body = PAGES[details.prompt.name](details, ctx.path)
  })
}
