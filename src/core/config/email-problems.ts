import { InvalidConfiguration } from '../errors/classes.ts'
import { mismatch } from './describe-value.ts'
import type { EmailConfig } from './email.ts'

const METHODS: ReadonlySet<unknown> = new Set(['link', 'code', 'both'])

/** Problems of a provider of type `email`. */
export function* emailProblems(
  provider: EmailConfig,
  place: string,
): Iterable<InvalidConfiguration> {
  const { sendVerificationRequest, method = 'link' } = provider
  if (typeof sendVerificationRequest !== 'function')
    yield new InvalidConfiguration(
      `${place} has no sendVerificationRequest function. Set it: it sends the mail.`,
    )
  if (!METHODS.has(method))
    yield new InvalidConfiguration(
      `${mismatch(`${place}: method`, 'link, code or both', method)} It is what the mail contains.`,
    )
}
