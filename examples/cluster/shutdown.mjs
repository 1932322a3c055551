/** Milliseconds until connections that are still open are cut. */
const LIMIT = 10_000

/** On SIGTERM or SIGINT, answers the requests that have arrived, closes the server, and then runs `disconnect`. */
export function shutDownOnSignal(server, disconnect) {
  const open = new Set()
  let isStopping = false

  // First, so that the headers are not sent yet.
  server.prependListener('request', (_request, response) => {
    if (isStopping) response.setHeader('connection', 'close')
    open.add(response)
    response.once('close', () => open.delete(response))
  })

  function stop() {
    if (isStopping) return
    isStopping = true
    // A client with a keep-alive connection would send one request after the other, and the server would never end.
    for (const response of open)
      if (!response.headersSent) response.setHeader('connection', 'close')
    server.close(() => void disconnect())
    setTimeout(() => server.closeAllConnections(), LIMIT).unref()
  }
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, stop)
}
