/** Finds options that a major release will remove. What a callback reads of its arguments is not seen. */
import { asRecord } from '../../core/is-record.ts'
import { topic } from './context.ts'
import type { DoctorContext, Finding } from './context.ts'

const IN_STATE = 'Configure the cookie with cookies.state.'
const NO_EFFECT = 'Remove it: it has no effect.'

const COOKIES = new Map([
  ['pkceCodeVerifier', IN_STATE],
  ['nonce', IN_STATE],
])
const STYLE = new Map([
  ['bg', 'Use style.brandColor.'],
  ['text', NO_EFFECT],
])
const PROVIDER = new Map([
  ['redirectUri', NO_EFFECT],
  ['simpleWebAuthnBrowserVersion', NO_EFFECT],
])

export function* checkDeprecated({ given, providers }: DoctorContext): Generator<Finding> {
  const parts: [place: string, value: unknown, options: ReadonlyMap<string, string>][] = [
    ['cookies.', given?.cookies, COOKIES],
  ]
  for (const provider of providers) {
    const { id, style } = asRecord(provider)
    parts.push([`provider ${String(id)}: style.`, style, STYLE])
    parts.push([`provider ${String(id)}: `, provider, PROVIDER])
  }
  for (const [place, value, options] of parts)
    for (const [name, advice] of options)
      if (asRecord(value)[name] !== undefined)
        yield topic('configuration').warning`${place}${name} is deprecated. → ${advice}`
}
