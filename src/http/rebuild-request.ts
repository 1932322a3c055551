import type { AuthRequest } from '../contracts.ts'

function serializeBody({ headers, body, form }: AuthRequest): string {
  if (form !== undefined) return form
  if (headers.get('content-type')?.toLowerCase().includes('json')) return JSON.stringify(body)
  const entries = Object.entries(body).map(([name, value]) => [name, String(value)])
  return new URLSearchParams(entries).toString()
}

/** The request for functions of the application: its body was consumed, so it is serialized again. */
export function rebuildRequest(request: AuthRequest): Request {
  const { headers, original } = request
  const rebuilt = new Request(original.url, {
    method: 'POST',
    headers,
    body: serializeBody(request),
  })
  rebuilt.headers.delete('content-length')
  rebuilt.headers.delete('transfer-encoding')
  return rebuilt
}
