/** Tells the other tabs of this browser that somebody signed in or out, or changed the session. */

const NAME = 'lib-auth'

/** A connection to the other tabs. */
export interface Channel {
  /** Tells the others. */
  tell(): void
  close(): void
}

/** What tabs tell each other. It never holds a session: each tab asks for its own. */
interface Message {
  readonly event: 'session'
}

function isMessage(data: unknown): data is Message {
  return typeof data === 'object' && data !== null && 'event' in data && data.event === 'session'
}

/** Opens the connection; `listen` hears of the others, never of what this connection tells. */
export function openChannel(listen: () => void): Channel {
  const { BroadcastChannel } = globalThis
  if (typeof BroadcastChannel === 'undefined')
    return { tell: () => undefined, close: () => undefined }
  const channel = new BroadcastChannel(NAME)
  channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (isMessage(data)) listen()
  })
  return {
    tell: () => channel.postMessage({ event: 'session' } satisfies Message),
    close: () => channel.close(),
  }
}
