/** Waits until the head of the response has been sent, reads, and sends the result. */
export function respondLate(read: () => Promise<object>): Response {
  const body = new ReadableStream({
    async start(controller) {
      // JSON may begin with a space.
      controller.enqueue(new TextEncoder().encode(' '))
      await new Promise((resolve) => setTimeout(resolve, 50))
      controller.enqueue(new TextEncoder().encode(JSON.stringify(await read())))
      controller.close()
    },
  })
  return new Response(body)
}
