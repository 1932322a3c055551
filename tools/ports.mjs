// Ports on this machine.
import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

// Below the ports that operating systems take for outgoing connections, any of which could be taken before a server
// listens.
const FIRST_PORT = 10_240
const LAST_PORT = 32_767

/** No port is returned twice: the server it was meant for may not listen yet. */
const returned = new Set()

function isFree(port) {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    // Without a host, so that a port taken on any address counts as taken.
    server.listen(port, () => server.close(() => resolve(true)))
  })
}

/** The first free port from `preferred` on; any free port if none near it is free, or without a preference. */
export async function freePort(preferred) {
  const candidates = preferred ? Array.from({ length: 20 }, (_, offset) => preferred + offset) : []
  for (const port of candidates) {
    if (await isFree(port)) return port
  }
  for (let attempt = 0; attempt < 100; attempt++) {
    const port = randomInt(FIRST_PORT, LAST_PORT + 1)
    if (returned.has(port)) continue
    returned.add(port)
    if (await isFree(port)) return port
  }
  throw new Error(`No free port between ${FIRST_PORT} and ${LAST_PORT}.`)
}
