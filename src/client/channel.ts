const NAME = 'lib-auth'

/** `session`: it has changed. `signed-in`: a tab with a session was opened. Each tab reads the session itself. */
export type News = 'session' | 'signed-in'

export interface Channel {
  tell(event: News): void
  close(): void
}

/** The other tab may run another version of the site. */
interface Message {
  readonly event: unknown
}

/** `listen` receives the messages of other tabs only. */
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
