/** Collects the secrets that are sent, to search a log for them. */

/** Parameters and members that must not appear in a log. */
const SECRET_NAMES =
  /"?(?:code|state|nonce|code_verifier|client_secret|access_token|refresh_token|id_token|token|sessionToken)"?[=:]\s*"?([^&",\s}]{12,})/g

/** Adds every secret in a text, or in the JSON of a value. */
export function remember(secrets: Set<string>, value: unknown): void {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  for (const [, secret = ''] of text.matchAll(SECRET_NAMES)) {
    secrets.add(secret)
    secrets.add(decodeURIComponent(secret))
  }
}
