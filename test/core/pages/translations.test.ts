import { describe, expect, test } from 'vitest'
import { french } from '../../../examples/messages/french.ts'
import { german } from '../../../examples/messages/german.ts'
import { english } from '../../../src/core/pages/messages.ts'
import type { PageMessages } from '../../../src/core/pages/messages.ts'
import { errorPage } from '../../../src/core/pages/message-pages.ts'

const placeholdersOf = (texts: PageMessages) =>
  Object.entries(texts).map(([name, text]) => [name, (text.match(/\{\w+\}/g) ?? []).sort()])

describe.each([
  ['German', german, 'Zugriff verweigert'],
  ['French', french, 'Accès refusé'],
])('the %s texts', (_name, texts, title) => {
  test('have the names and placeholders of the English ones', () => {
    expect(placeholdersOf(texts)).toEqual(placeholdersOf(english))
  })

  test('replace the path in the text for an unknown route', () => {
    const unknown = { error: 'UnknownAction', message: 'There is no route /auth/x.' }
    expect(errorPage({ theme: {}, ...unknown }).text).toContain('There is no route /auth/x.')
    const { text } = errorPage({ theme: { messages: texts }, ...unknown })
    expect(text).toContain(texts.unknownAction.replaceAll("'", '&#39;'))
    expect(text).not.toContain('There is no route')
  })

  test('replace the English ones', () => {
    const { text } = errorPage({ theme: { messages: texts }, error: 'AccessDenied' })
    expect(text).toContain(`<html lang="${texts.lang}">`)
    expect(text).toContain(`<h1>${title}</h1>`)
  })
})

test.each(['__proto__', 'constructor', 'toString', 'unknown'])(
  'the placeholder {%s}, which a text does not have, is empty',
  (name) => {
    const messages = { accessDenied: `One {${name}}two` }
    const { text } = errorPage({ theme: { messages }, error: 'AccessDenied' })
    expect(text).toContain('One two')
  },
)
