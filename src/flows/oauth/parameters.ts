/** Serializes a query value: lists with commas, objects as JSON (OpenID Connect Core §5.5). */
function toText(value: unknown): string {
  if (typeof value === 'string') return value
  return Array.isArray(value) ? value.join(',') : JSON.stringify(value)
}

export function setParameters(
  url: URL,
  parameters: Readonly<Record<string, unknown>> | undefined,
): void {
  for (const [name, value] of Object.entries(parameters ?? {}))
    if (value !== undefined && value !== null) url.searchParams.set(name, toText(value))
}
