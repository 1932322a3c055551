/** A duration in words: `2 minutes`. */
import { textOf } from './messages.ts'
import type { Texts } from './messages.ts'

function format(language: string, count: number, unit: 'minute' | 'hour'): string {
  const options = { style: 'unit', unit, unitDisplay: 'long' } as const
  return new Intl.NumberFormat(language, options).format(count)
}

/** In the language of the texts; rounded up to minutes, and to hours from two hours on. */
export function durationText(texts: Texts, seconds: number): string {
  const minutes = Math.max(1, Math.ceil(seconds / 60))
  const [count, unit] =
    minutes < 120 ? ([minutes, 'minute'] as const) : ([Math.ceil(minutes / 60), 'hour'] as const)
  try {
    return format(textOf(texts, 'lang'), count, unit)
  } catch {
    // `lang` is a text of the application, and may be no language tag.
    return format('en', count, unit)
  }
}
