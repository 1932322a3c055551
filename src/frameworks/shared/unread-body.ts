/** Bodies in frameworks whose servers close or block the connection of a request whose body is not read to its end. */

/** How much of a rejected body is discarded before the connection is closed. */
export const UNREAD_LIMIT: Readonly<Record<'bytes' | 'milliseconds', number>> = {
  bytes: 2 ** 20,
  milliseconds: 500,
}

async function discard(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  const close = () => void reader.cancel().catch(() => undefined)
  const timer = setTimeout(close, UNREAD_LIMIT.milliseconds)
  try {
    for (let size = 0; size <= UNREAD_LIMIT.bytes;) {
      const { done, value } = await reader.read()
      if (done) return
      size += value.length
    }
    close()
  } catch {
    // The client has closed the connection.
  } finally {
    clearTimeout(timer)
  }
}

/** Answers a request, and discards what `answer` has not read of its body. */
export async function discardUnread(
  request: Request,
  answer: (request: Request) => Promise<Response>,
): Promise<Response> {
  if (!request.body || request.bodyUsed) return answer(request)
  const reader = request.body.getReader()
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read()
        if (done) controller.close()
        else controller.enqueue(value)
      },
    },
    { highWaterMark: 0 },
  )
  const { method, headers, url } = request
  const init: RequestInit & { duplex: 'half' } = { method, headers, body, duplex: 'half' }
  const response = await answer(new Request(url, init))
  void discard(reader)
  return response
}
