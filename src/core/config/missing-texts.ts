/** Finds texts of the built-in pages that a translation lacks: the page would mix two languages. */
import { isRecord } from '../is-record.ts'
import { english, translated } from '../pages/messages.ts'
import type { PageMessage } from '../pages/messages.ts'
import type { AuthConfig } from './types.ts'

function isMessage(name: string): name is PageMessage {
  return Object.hasOwn(english, name)
}

/** The names of texts that are shown in English although `theme.messages.lang` is another language. */
export function missingTexts({ theme }: AuthConfig): readonly PageMessage[] {
  const messages = theme?.messages
  const lang: unknown = isRecord(messages) ? messages.lang : undefined
  if (typeof lang !== 'string' || /^en(?:-|$)/i.test(lang)) return []
  return Object.keys(english)
    .filter(isMessage)
    .filter((name) => translated({ messages }, name) === null)
}
