// The pages of the server examples, and the script of the client page.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const STYLE = readFileSync(new URL('../next-app-router/app/style.css', import.meta.url), 'utf8')

/** Headers of each page: it shows who is signed in. */
export const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'private, no-store',
}

const { outputFiles } = await build({
  entryPoints: [fileURLToPath(new URL('client.mjs', import.meta.url))],
  bundle: true,
  format: 'esm',
  write: false,
})

/** `client.mjs` with what it imports. */
export const clientScript = outputFiles[0].text

/** By type of error. */
const MESSAGES = new Map([
  ['CredentialsSignin', 'User name or password is wrong.'],
  ['TooManyAttempts', 'Too many attempts. Try again later.'],
])

export function escapeHtml(text) {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** A page with the navigation. */
export function layout(content) {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>lib-auth demo</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<header>
<nav aria-label="Pages">
<a href="/">Server page</a>
<a href="/client">Client page</a>
<a href="/protected">Protected page</a>
</nav>
</header>
<main>
${content}
</main>
</body>
</html>`
}

function signInForms(error) {
  return `<h1>You are not signed in</h1>
<p>Choose one of the methods.</p>
<div class="methods">
<section class="card">
<h2>With an account elsewhere</h2>
<p class="note">An OpenID provider on this machine.</p>
<form action="/sign-in" method="post">
<button class="primary" name="provider" value="demo">Sign in with the demo provider</button>
</form>
</section>
<section class="card">
<h2>With a password</h2>
<p class="note">Credentials that the application verifies.</p>
<form action="/sign-in" method="post">
${error ? `<p role="alert">${error}</p>` : ''}
<label for="username">User name</label>
<input id="username" name="username" autocomplete="username" value="grace" required>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" value="correct horse" required>
<button name="provider" value="credentials">Sign in with a password</button>
</form>
</section>
</div>`
}

/** The home page: who is signed in, with further links, or the sign-in forms with an error. */
export function homePage(session, error, links = '') {
  if (!session)
    return layout(signInForms(error ? (MESSAGES.get(error) ?? 'The sign-in failed.') : ''))
  return layout(`<h1>Hello, ${escapeHtml(session.user.name)}</h1>
<p>This page was rendered on the server.</p>
${links}<form action="/sign-out" method="post"><button>Sign out</button></form>`)
}

/** A page for signed-in users. */
export function protectedPage(session) {
  return layout(`<h1>For signed-in users only</h1>
<p>You are ${escapeHtml(session.user.name)}.</p>`)
}

/** A page whose script reads the session. */
export function clientPage() {
  return layout(`<h1 aria-live="polite">Loading the session…</h1>
<p>This page reads the session in the browser.</p>
<button type="button" hidden>Sign out</button>
<script type="module" src="/client.js"></script>`)
}
