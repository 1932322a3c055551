/** Tells the other tabs of this browser that somebody signed in or out, or changed the session. */

const NAME = 'lib-auth'

/**
 * What tabs tell each other. `session`: it has changed. `signed-in`: this tab was opened by somebody who is. It never
 * holds a session: each tab asks for its own.
 */
export type News = 'session' | 'signed-in'

/** A connection to the other tabs. */
export interface Channel {
  /** Tells the others. */
  tell(event: News): void
  close(): void
}

/** What is on the channel. Another version of the site may be open in the other tab, and say what it likes. */
interface Message {
  readonly event: unknown
}

/** Opens the connection; `listen` hears of the others, never of what this connection tells. */
export function openChannel(listen: (event: unknown) => void): Channel {
  const { BroadcastChannel } = globalThis
  if (!BroadcastChannel) return { tell() {}, close() {} }
  const channel = new BroadcastChannel(NAME)
  channel.addEventListener('message', ({ data }: MessageEvent<Message | null>) => {
    listen(data?.event)
  })
  return {
    tell: (event) => channel.postMessage({ event } satisfies Message),
    close: () => channel.close(),
  }
}
