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

/** A script for the browser, with what it imports. */
export async function bundle(url) {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(url)],
    bundle: true,
    format: 'esm',
    write: false,
  })
  return outputFiles[0].text
}

export const clientScript = await bundle(new URL('client.mjs', import.meta.url))

/** The form of the provider in `config.mjs`. */
const USER_NAME = {
  provider: 'credentials',
  field: 'username',
  type: 'text',
  label: 'User name',
  value: 'grace',
  note: 'Credentials that the application verifies.',
}

const messageOf = (error, { label }) =>
  ({
    CredentialsSignin: `${label} or password is wrong.`,
    TooManyAttempts: 'Too many attempts. Try again later.',
  })[error] ?? 'The sign-in failed.'

export function escapeHtml(text) {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** A user who signed up with a password has an address only. */
const nameOf = ({ user }) => escapeHtml(user.name ?? user.email)

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

function signInForms(error, form) {
  const { provider, field, type, label, value, note } = form
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
<p class="note">${note}</p>
<form action="/sign-in" method="post">
${error ? `<p role="alert">${messageOf(error, form)}</p>` : ''}
<label for="${field}">${label}</label>
<input id="${field}" name="${field}" type="${type}" autocomplete="username" value="${value}" required>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" value="correct horse" required>
<button name="provider" value="${provider}">Sign in with a password</button>
</form>
</section>
</div>`
}

/** The home page: who is signed in, with further links, or the sign-in forms with an error. */
export function homePage(session, error, { links = '', form = USER_NAME } = {}) {
  if (!session) return layout(signInForms(error, form))
  return layout(`<h1>Hello, ${nameOf(session)}</h1>
<p>This page was rendered on the server.</p>
${links}<form action="/sign-out" method="post"><button>Sign out</button></form>`)
}

/** A page for signed-in users. */
export function protectedPage(session) {
  return layout(`<h1>For signed-in users only</h1>
<p>You are ${nameOf(session)}.</p>`)
}

/** A page whose script reads the session. */
export function clientPage() {
  return layout(`<h1 aria-live="polite">Loading the session…</h1>
<p>This page reads the session in the browser.</p>
<button type="button" hidden>Sign out</button>
<script type="module" src="/client.js"></script>`)
}
