/** `session`: it has changed. `signed-in`: a tab with a session was opened. Each tab reads the session itself. */
export type SessionEvent = 'session' | 'signed-in'

export interface Channel {
  send(event: SessionEvent): void
  close(): void
}

/** The other tab may run another version of the site. */
interface Message {
  readonly event: unknown
}

export function openChannel(listen: (event: unknown) => void): Channel {
  const { BroadcastChannel } = globalThis
  if (!BroadcastChannel) return { send() {}, close() {} }
  const channel = new BroadcastChannel('lib-auth')
  channel.addEventListener('message', ({ data }: MessageEvent<Message | null>) => {
    listen(data?.event)
  })
  return {
    send: (event) => channel.postMessage({ event } satisfies Message),
    close: () => channel.close(),
  }
}
