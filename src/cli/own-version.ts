import { readFileSync } from 'node:fs'

/** The version of this package. */
export function ownVersion(): string {
  const path = new URL('../../package.json', import.meta.url)
  const manifest: { readonly version: string } = JSON.parse(readFileSync(path, 'utf8'))
  return manifest.version
}

/** Compares versions by their numbers: negative if the first is older. */
export const byVersion = (one: string, other: string): number =>
  one.localeCompare(other, 'en', { numeric: true })

/** Without the suffix of a prerelease: the changelog has sections of releases. */
export const releaseOf = (version: string): string => version.replace(/[-+].*/, '')
