import type { EmailConfig, EmailUserConfig } from '../core/config/email.ts'
import { InvalidConfiguration } from '../core/errors/classes.ts'
import { bearer, mailService } from './_mail-service.ts'

export type { EmailConfig, EmailUserConfig } from '../core/config/email.ts'

/** Options of the Loops provider. */
export interface LoopsUserConfig extends EmailUserConfig {
  /** Required. Id of a published transactional e-mail. */
  transactionalId?: string
}

export type { LoopsUserConfig as LoopsConfig }

function requireTemplate({ transactionalId }: LoopsUserConfig): string {
  if (transactionalId) return transactionalId
  throw new InvalidConfiguration(
    'Provider loops has no transactionalId. Set it to the id of a published transactional e-mail with the data variable url or code.',
  )
}

/**
 * Magic links and codes (`method`), sent through the HTTP API of Loops. Requires an adapter, and a template at Loops with the data
 * variables of `method`: `url`, `code`, or both.
 *
 * @throws InvalidConfiguration if `transactionalId` is missing
 * @see https://loops.so/docs/api-reference/send-transactional-email
 * @example
 * ```ts
 * import Loops from 'lib-auth/providers/loops'
 *
 * // AUTH_LOOPS_KEY is read where apiKey is left out.
 * export const providers = [Loops({ transactionalId: 'clfn0k1yg001imo0fdeqg30i8' })]
 * ```
 */
export default function Loops(options: LoopsUserConfig = {}): EmailConfig {
  const transactionalId = requireTemplate(options)
  return mailService(
    {
      id: 'loops',
      name: 'Loops',
      url: 'https://app.loops.so/api/v1/transactional',
      headers: bearer,
      isTemplate: true,
      body: ({ to, url, code, hasLink }) => ({
        transactionalId,
        email: to,
        dataVariables: { ...(hasLink && { url }), ...(code !== undefined && { code }) },
      }),
    },
    options,
  )
}
