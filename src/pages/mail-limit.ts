import type { LimitOptions } from '../config/protection-options.ts'
import { durationText } from './duration.ts'
import type { Markup } from './html.ts'
import { say } from './messages.ts'
import type { Texts } from './messages.ts'

export interface MailLimited {
  readonly theme: Texts
  readonly mailLimit?: LimitOptions | null
}

/**
 * When another mail can be sent, at the latest. The same for every address and at any time, so it shows neither whether
 * an address exists nor whether a mail was sent.
 */
export function mailLimitText({ theme, mailLimit }: MailLimited): Markup | false {
  if (!mailLimit) return false
  const { burst, per } = mailLimit
  const seconds = per / burst
  const minutes = String(Math.ceil(seconds / 60))
  const time = durationText(theme, seconds)
  return say(theme, 'mailLimit', { count: String(burst), time, minutes })
}
