// Load for a server: requests over keep-alive connections, each with one request at a time. Bytes are written and compared
// as they are, because a client that parses responses is slower than an empty route of Fastify or Hono.
import { connect } from 'node:net'

const CONNECTIONS = 10

/** A name as the host, as in production: that of an address is parsed as a URL. */
function requestText({ port, pathname }, headers) {
  const fields = Object.entries({ host: `localhost:${port}`, connection: 'keep-alive', ...headers })
  return `GET ${pathname} HTTP/1.1\r\n${fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`
}

/** The number of responses within the time. @throws for any response other than 200 with the body */
export async function load(url, { headers, body, seconds }) {
  const bytes = Buffer.from(requestText(url, headers))
  let responses = 0
  const run = (index) =>
    new Promise((resolve, reject) => {
      const socket = connect(Number(url.port), url.hostname, () => socket.write(bytes))
      const timer = setTimeout(() => {
        socket.destroy()
        resolve()
      }, seconds * 1000)
      let received = ''
      socket.setNoDelay().on('data', (chunk) => {
        received += chunk.latin1Slice()
        if (!received.endsWith(body)) {
          if (received.length < 5000) return
          clearTimeout(timer)
          reject(new Error(`Connection ${index} to ${url} received: ${received.slice(0, 500)}`))
          socket.destroy()
          return
        }
        if (!received.startsWith('HTTP/1.1 200')) reject(new Error(received))
        received = ''
        responses++
        socket.write(bytes)
      })
      socket.on('error', reject)
    })
  await Promise.all(Array.from({ length: CONNECTIONS }, (_, index) => run(index)))
  return responses
}
