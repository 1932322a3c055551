/** A global `Response` that keeps the `Headers` object it is given, as that of some servers does. */

const Native = globalThis.Response

/** A `Response` whose `headers` are the instance that was passed in, not a copy of it. */
class KeepingResponse extends Native {
  readonly #kept: Headers | undefined

  /** Responses that the platform makes, such as those of `fetch`, are instances as well. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Native
  }

  constructor(body?: BodyInit | null, init?: ResponseInit) {
    super(body, init)
    if (!(init?.headers instanceof Headers)) return
    const type = super.headers.get('content-type')
    if (type !== null) init.headers.set('content-type', type)
    this.#kept = init.headers
  }

  override get headers(): Headers {
    return this.#kept ?? super.headers
  }

  override clone(): Response {
    const { status, statusText } = this
    const { body } = super.clone()
    return new KeepingResponse(body, { status, statusText, headers: new Headers(this.headers) })
  }
}

/** Whether the global `Response` keeps the `Headers` object that it is given. */
export function keepsHeaders(): boolean {
  const headers = new Headers()
  return new Response(null, { headers }).headers === headers
}

/** Makes it the global `Response`; the function returned restores the one before. */
export function installKeepingResponse(): () => void {
  const before = globalThis.Response
  // Servers that replace it make it read-only in Deno.
  const define = (value: typeof Response) =>
    void Object.defineProperty(globalThis, 'Response', { value, writable: true })
  define(KeepingResponse)
  return () => define(before)
}
