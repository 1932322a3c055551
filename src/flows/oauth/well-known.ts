import type { OAuthConfig } from '../../config/provider.ts'

const WELL_KNOWN = '/.well-known/openid-configuration'

export interface MetadataLocation {
  readonly metadataUrl: string | undefined
  /** Issuer derived from `wellKnown`, if below the configured one: some vendors publish their root URL as issuer. */
  readonly issuerBelow: string | undefined
}

export function locateMetadata({ issuer, wellKnown }: OAuthConfig): MetadataLocation {
  const root = issuer?.replace(/\/$/, '')
  const standard = root && root + WELL_KNOWN
  const at = { metadataUrl: wellKnown || standard, issuerBelow: undefined }
  if (!root || !wellKnown?.startsWith(`${root}/`) || !wellKnown.endsWith(WELL_KNOWN)) return at
  const issuerBelow = wellKnown.slice(0, -WELL_KNOWN.length)
  const path = issuerBelow.slice(root.length)
  if (path === '') return at
  // The provider module appends the path, but the configured issuer already contains it.
  if (root.endsWith(path)) return { ...at, metadataUrl: standard }
  return { ...at, issuerBelow }
}
