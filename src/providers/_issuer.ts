import type { IssuerContext } from '../core/config/provider.ts'

const withoutSlash = (issuer: string) => issuer.replace(/\/$/, '')

/** Compares issuers, except for a slash at the end: the consoles of some vendors show the URL without it. */
export function isSameIssuer(stated: string, { issuer }: IssuerContext): boolean {
  return withoutSlash(stated) === withoutSlash(issuer)
}
