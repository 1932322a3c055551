import type { CeremonyErrorCode } from '../../core/errors/ceremony-code.ts'

/** A passkey request failed in the browser, before a response was sent to the server. */
export class CeremonyError extends Error {
  override name = 'CeremonyError'
  readonly code: CeremonyErrorCode

  constructor(code: CeremonyErrorCode, options: ErrorOptions & { message?: string } = {}) {
    super(options.message ?? code, options)
    this.code = code
  }
}

/** Codes of errors in the site or its configuration, whose cause is for the developer. */
const SITE_ERROR = /^(?:wrong_domain|unavailable|failed)$/

/** Writes the cause of an error in the site to the console of the browser. */
export function logSiteError({ code, cause }: CeremonyError): void {
  if (cause && SITE_ERROR.test(code)) console.error(cause)
}
