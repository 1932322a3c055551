/**
 * Whether the value is a `Response`. Without `instanceof`: some servers replace the global class, of which responses that
 * the platform created, such as those of `Response.json()` and `fetch()`, are not instances.
 */
export function isResponse(value: unknown): value is Response {
  return (
    typeof value === 'object' &&
    value !== null &&
    'status' in value &&
    'headers' in value &&
    'body' in value
  )
}
