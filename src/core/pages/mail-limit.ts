import type { LimitOptions } from '../config/protection-options.ts'
import { durationText } from './duration.ts'
import type { Markup } from './html.ts'
import { say } from './messages.ts'
import type { Texts } from './messages.ts'

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
