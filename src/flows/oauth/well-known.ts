/** The URL of the metadata, and which issuer a document from there may name (OpenID Connect Discovery §4). */
import type { OAuthConfig } from '../../config/provider.ts'

const WELL_KNOWN = '/.well-known/openid-configuration'

/** Where metadata is read. */
export interface MetadataLocation {
  /** `undefined`: there is no metadata, every endpoint is configured. */
  readonly metadataUrl: string | undefined
  /** The issuer that this URL belongs to, if it is below the configured one: some vendors call their root the issuer. */
  readonly issuerBelow: string | undefined
}

/** Finds the metadata of a provider that has `issuer`, `wellKnown` or both. */
export function locateMetadata({ issuer, wellKnown }: OAuthConfig): MetadataLocation {
  const root = issuer?.replace(/\/$/, '')
  const standard = root && root + WELL_KNOWN
  const at = { metadataUrl: wellKnown || standard, issuerBelow: undefined }
  if (!root || !wellKnown?.startsWith(`${root}/`) || !wellKnown.endsWith(WELL_KNOWN)) return at
  const issuerBelow = wellKnown.slice(0, -WELL_KNOWN.length)
  const path = issuerBelow.slice(root.length)
  if (path === '') return at
  // The module of a vendor adds the path; the application has configured the issuer with it.
  if (root.endsWith(path)) return { ...at, metadataUrl: standard }
  return { ...at, issuerBelow }
}
