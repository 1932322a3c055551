// The mails of the demo, and the page that shows them.
import { escapeHtml, layout } from '../server-parts/pages.mjs'

const mails = []

/** Replace it by your mail service. */
export async function send({ to, subject, text, url }) {
  mails.unshift({ to, subject, text, url })
  mails.splice(50)
}

function article({ to, subject, text, url }) {
  const link = url ? `<p><a href="${escapeHtml(url)}">Open the link</a></p>` : ''
  return `<article class="card"><h2>${escapeHtml(subject)}</h2>
<p class="note">To ${escapeHtml(to)}</p>
${link}
<details><summary>Text of the mail</summary><pre>${escapeHtml(text.trim())}</pre></details>
</article>`
}

/** Only a demo has such a page: the links sign in, and choose passwords. */
export function mailPage() {
  return layout(`<h1>Mail</h1>
<p>Every mail that this demo has sent, newest first. Nothing leaves this machine.</p>
${mails.map(article).join('') || '<p role="status">No mail yet.</p>'}`)
}
