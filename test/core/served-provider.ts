/** A provider behind HTTP, because processes cannot share one in memory. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { issuer } from '../../src/testing/index.ts'
import type { Issuer, IssuerOptions } from '../../src/testing/index.ts'

/** @param onRequest - called before the request is answered */
export async function serveProvider(
  options: IssuerOptions,
  onRequest: (body: string, request: IncomingMessage) => void = () => undefined,
): Promise<{ readonly op: Issuer; readonly close: () => void }> {
  const server = createServer((request, response) => {
    const answer = async () => {
      const body = await text(request)
      onRequest(body, request)
      const url = new URL(request.url ?? '/', op.url)
      const headers = new Headers(request.headers as Record<string, string>)
      const init = request.method === 'POST' ? { body, method: 'POST' } : {}
      const answered = await op.fetch(new Request(url, { headers, ...init }))
      response.writeHead(answered.status, Object.fromEntries(answered.headers))
      response.end(new Uint8Array(await answered.arrayBuffer()))
    }
    void answer()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  const op = await issuer({
    url: `http://127.0.0.1:${port}`,
    clientSecret: 'a secret of the client',
    algorithm: 'ES256',
    ...options,
  })
  return { op, close: () => void server.close() }
}
