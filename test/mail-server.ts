/** An SMTP server on loopback that records the mails it receives. */
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo, Server, Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { callbackify } from 'node:util'
import PostalMime from 'postal-mime'
import type { Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import type { SMTPServerOptions, SMTPServerSession } from 'smtp-server'

/** A received mail. */
export interface Received extends Email {
  /** The envelope (RFC 5321 §3.3), which determines the recipients. */
  readonly envelope: { readonly from: string; readonly to: readonly string[] }
}

/** The server, and the mails received so far. */
export interface MailServer {
  readonly url: string
  readonly host: string
  readonly port: number
  readonly mails: readonly Received[]
  /** Number of connections, in total and currently open. */
  readonly clients: { readonly all: number; readonly open: number }
  stop(): Promise<void>
}

/** Counts connections, and closes them with the server. */
function trackClients(server: Server) {
  const sockets = new Set<Socket>()
  const clients = { all: 0, open: 0 }
  server.on('connection', (socket: Socket) => {
    clients.all += 1
    clients.open += 1
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => {
      clients.open -= 1
      sockets.delete(socket)
    })
  })
  const end = () => sockets.forEach((socket) => socket.destroy())
  return { clients, end }
}

async function listen(
  server: Server,
  mails: readonly Received[],
  close: () => void,
): Promise<MailServer> {
  const host = '127.0.0.1'
  const { clients, end } = trackClients(server)
  server.listen(0, host)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const stop = async () => {
    const closed = once(server, 'close')
    close()
    end()
    await closed
  }
  return { url: `smtp://${host}:${port}`, host, port, mails, clients, stop }
}

/** A server that accepts every mail by default. */
export function mailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const mails: Received[] = []
  const receive = async (stream: Readable, { envelope }: SMTPServerSession): Promise<void> => {
    const email = await PostalMime.parse(await buffer(stream))
    const from = envelope.mailFrom ? envelope.mailFrom.address : ''
    mails.push({ ...email, envelope: { from, to: envelope.rcptTo.map(({ address }) => address) } })
  }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: callbackify(receive),
    ...options,
  })
  server.on('error', () => undefined)
  return listen(server.server, mails, () => server.close())
}

/** A server that accepts connections, sends `greeting`, and then nothing. */
export function silentServer(greeting = ''): Promise<MailServer> {
  const server = createServer((socket) => void socket.write(greeting))
  return listen(server, [], () => server.close())
}
