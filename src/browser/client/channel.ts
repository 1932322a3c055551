/** `session`: it has changed. `signed-in`: a tab with a session was opened. Each tab reads the session itself. */
export type SessionEvent = 'session' | 'signed-in'

export interface Channel {
  send(event: SessionEvent): void
  close(): void
}

export function openChannel(listen: (event: unknown) => void): Channel {
  const { BroadcastChannel } = globalThis
  if (!BroadcastChannel) return { send() {}, close() {} }
  const channel = new BroadcastChannel('lib-auth')
  // The other tab may run another version of the site.
  const onMessage = ({ data }: MessageEvent<unknown>) =>
    listen((data as { event?: unknown } | null)?.event)
  channel.addEventListener('message', onMessage)
  return { send: (event) => channel.postMessage({ event }), close: () => channel.close() }
}
