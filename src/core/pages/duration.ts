/** Durations in words, such as `2 minutes`. */
import type { LimitOptions } from '../config/protection-options.ts'
import type { Markup } from './html.ts'
import { say, readText } from './messages.ts'
import type { Texts } from './messages.ts'

function format(language: string, count: number, unit: 'minute' | 'hour' | 'day'): string {
  const options = { style: 'unit', unit, unitDisplay: 'long' } as const
  return new Intl.NumberFormat(language, options).format(count)
}

function choose(minutes: number): readonly [count: number, unit: 'minute' | 'hour' | 'day'] {
  if (minutes < 120) return [minutes, 'minute']
  const hours = Math.ceil(minutes / 60)
  return hours < 48 ? [hours, 'hour'] : [Math.ceil(hours / 24), 'day']
}

/** In the language of the texts; rounded up to minutes, to hours from two hours on, and to days from two days on. */
export function durationText(texts: Texts, seconds: number): string {
  const [count, unit] = choose(Math.max(1, Math.ceil(seconds / 60)))
  try {
    return format(readText(texts, 'lang'), count, unit)
  } catch {
    // `lang` is a text of the application, and may be no language tag.
    return format('en', count, unit)
  }
}

export interface MailLimited {
  readonly theme: Texts
  readonly mailLimit?: LimitOptions | null
  /** How many mails this browser has requested for the address. */
  readonly mailsRequested?: number
}

/**
 * When another mail can be sent, at the latest, if at most one more can be sent at once. It depends on what this browser
 * has requested, so it shows neither whether an address exists nor whether a mail was sent.
 */
export function mailLimitText(content: MailLimited): Markup | false {
  const { theme, mailLimit, mailsRequested = 0 } = content
  if (!mailLimit || mailsRequested < Math.max(1, mailLimit.burst - 1)) return false
  const { burst, per } = mailLimit
  const seconds = per / burst
  const minutes = String(Math.ceil(seconds / 60))
  const time = durationText(theme, seconds)
  return say(theme, 'mailLimit', { count: String(burst), time, minutes })
}
