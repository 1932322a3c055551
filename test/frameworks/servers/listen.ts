import { createServer } from 'node:http'
import type { RequestListener, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { toRequest } from '../../../src/frameworks/node/bridge.ts'
import { send } from '../../../src/frameworks/node/response.ts'
import type { RunningSite } from '../conformance/site.ts'

/** Listens on a free port of the loopback interface. */
export async function listen(listener: RequestListener | Server): Promise<RunningSite> {
  const server = typeof listener === 'function' ? createServer(listener) : listener
  // On a busy machine, a user of a test may pause for longer than the default of 5 seconds.
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Listens for what a function answers, such as `fetch` of a provider. */
export function serve(answer: (request: Request) => Promise<Response>): Promise<RunningSite> {
  return listen((req, res) => {
    void answer(toRequest(req)).then(async (response) => send(response, req, res))
  })
}
