// Ports on this machine.
import { createServer } from 'node:net'

function tryPort(port) {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(null))
    // Without a host, so that a port taken on any address counts as taken.
    server.listen(port, () => {
      const { port: free } = server.address()
      server.close(() => resolve(free))
    })
  })
}

/** The first free port from `preferred` on; any free port if none near it is free, or without a preference. */
export async function freePort(preferred) {
  const candidates = preferred ? Array.from({ length: 20 }, (_, offset) => preferred + offset) : []
  for (const port of candidates) {
    const free = await tryPort(port)
    if (free !== null) return free
  }
  return tryPort(0)
}
