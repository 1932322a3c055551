/** A request that was not answered, or not in a way that can be understood. */
export class ClientFetchError extends Error {
  override name = 'ClientFetchError'
  /** HTTP status; `undefined` when there was no answer. */
  readonly status: number | undefined

  constructor(message: string, { status, cause }: { status?: number; cause?: unknown } = {}) {
    super(message, { cause })
    this.status = status
  }
}
