/** Cause and fix of an error, for the developer. English, as the log. */
import type { Problem } from '../log/problem.ts'
import { html } from './html.ts'
import type { Markup } from './html.ts'

export const PROBLEM_STYLE = `.dev { margin: 1.25rem 0; padding: 0.75rem 0.875rem; border: 1px dashed var(--line); border-radius: 0.625rem; font-size: 0.875rem; overflow-wrap: anywhere; }
.dev > * { display: block; margin: 0; }
.dev > * + * { margin-top: 0.375rem; }
.dev > :first-child, .dev > code { color: var(--muted); font-size: 0.75rem; }
`

export function problemBox(problem: Problem | null | undefined): Markup | false {
  if (!problem) return false
  const { lines, documentation } = problem
  return html`<div class="dev" lang="en">
    <strong>Shown in development only</strong>${lines.map((line) => html`<p>${line}</p>`)}${
      documentation && html`<code>${documentation}</code>`
    }
  </div>`
}
