/** Milliseconds until connections that are still open are closed. */
const LIMIT = 10_000

/** On SIGTERM or SIGINT, answers the requests that have arrived, closes the server, and then runs `disconnect`. */
export function shutDownOnSignal(server, disconnect) {
  const open = new Set()
  let isStopping = false

  // Prepended, because a later listener may already have sent the headers.
  server.prependListener('request', (_request, response) => {
    if (isStopping) response.setHeader('connection', 'close')
    open.add(response)
    response.once('close', () => open.delete(response))
  })

  function stop() {
    if (isStopping) return
    isStopping = true
    // Otherwise a client with a keep-alive connection could send more requests, and the server would never close.
    for (const response of open)
      if (!response.headersSent) response.setHeader('connection', 'close')
    server.close(() => void disconnect())
    setTimeout(() => server.closeAllConnections(), LIMIT).unref()
  }
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, stop)
}
