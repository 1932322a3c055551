/** What a visitor typed in to sign in, for the audit log. Which field that is depends on the flow. */
const identifiers: WeakMap<object, string> = new WeakMap()

/** Called by a flow for the identifier that it looks up and charges; other fields of the request may be decoys. */
export function noteIdentifier(
  { request }: { readonly request: object },
  identifier: string,
): void {
  identifiers.set(request, identifier)
}

export function readIdentifier({ request }: { readonly request: object }): string | undefined {
  return identifiers.get(request)
}
