// The mail server of the demo: it accepts every mail, forwards none, and returns them as JSON.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { callbackify } from 'node:util'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'

// Loopback only: mails contain magic links.
const HOST = '127.0.0.1'
const MAX_MAILS = 50

async function listen(server) {
  server.listen(0, HOST)
  await once(server, 'listening')
  return server.address().port
}

/**
 * Starts the server on two free ports: one for SMTP, one for reading the mails over HTTP.
 *
 * @returns `smtp`, the URL of the mail server; `inbox`, the URL of the received mails, newest first; and `stop`
 */
export async function startMailServer() {
  const mails = []
  const receive = async (stream, { envelope }) => {
    const { messageId, subject, text } = await PostalMime.parse(await buffer(stream))
    const to = envelope.rcptTo.map(({ address }) => address).join(', ')
    const from = envelope.mailFrom ? envelope.mailFrom.address : ''
    mails.unshift({ id: messageId, from, to, subject, text, date: new Date() })
    mails.splice(MAX_MAILS)
  }
  const mail = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    closeTimeout: 1000,
    onData: callbackify(receive),
  })
  // A client that disconnects in the middle of a mail must not end the process.
  mail.on('error', () => undefined)
  const inbox = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(mails))
  })
  const [smtpPort, inboxPort] = await Promise.all([listen(mail.server), listen(inbox)])
  return {
    smtp: `smtp://${HOST}:${smtpPort}`,
    inbox: `http://${HOST}:${inboxPort}`,
    async stop() {
      const closed = [once(mail.server, 'close'), once(inbox, 'close')]
      mail.close()
      inbox.close()
      inbox.closeAllConnections()
      await Promise.all(closed)
    },
  }
}
