import type { AuthRequest } from '../contracts.ts'

function formOf(fields: AuthRequest['body']): string {
  const entries = Object.entries(fields).map(([name, value]) => [name, String(value)])
  return new URLSearchParams(entries).toString()
}

/** The request for functions of the application: its body was consumed, so it is serialized again. */
export function rebuildRequest({ headers: sent, body: fields, original }: AuthRequest): Request {
  const headers = new Headers(sent)
  headers.delete('content-length')
  headers.delete('transfer-encoding')
  const isJson = headers.get('content-type')?.toLowerCase().includes('json') ?? false
  const body = isJson ? JSON.stringify(fields) : formOf(fields)
  return new Request(original.url, { method: 'POST', headers, body })
}
