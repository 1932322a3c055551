/** Error of a request that failed, or whose response is not the expected one. */
export class ClientFetchError extends Error {
  override name = 'ClientFetchError'
  /** HTTP status; `undefined` if there was no response. */
  readonly status: number | undefined

  constructor(message: string, { status, cause }: { status?: number; cause?: unknown } = {}) {
    super(message, { cause })
    this.status = status
  }
}
