import type { IssuerContext } from '../config/provider.ts'

const withoutSlash = (issuer: string) => issuer.replace(/\/$/, '')

/** Ignores a slash at the end of the configured issuer, for modules that read no metadata with the correct spelling. */
export function isSameIssuer(stated: string, { issuer }: IssuerContext): boolean {
  return withoutSlash(stated) === withoutSlash(issuer)
}
