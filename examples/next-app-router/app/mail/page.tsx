import { connection } from 'next/server'

/** A mail, as `tools/demo-mail.mjs` returns it. */
interface Mail {
  id: string
  from: string
  to: string
  subject: string
  text: string
  date: string
}

async function readInbox(): Promise<Mail[] | null> {
  const inbox = process.env.DEMO_INBOX
  if (!inbox) return null
  const response = await fetch(inbox, { cache: 'no-store' })
  return response.json()
}

function Article({ mail }: { mail: Mail }) {
  const [link] = /https?:\S+/.exec(mail.text) ?? []
  return (
    <article className="card">
      <h2>{mail.subject}</h2>
      <dl>
        <dt>To</dt>
        <dd>{mail.to}</dd>
        <dt>From</dt>
        <dd>{mail.from}</dd>
        <dt>Sent</dt>
        <dd>
          <time dateTime={mail.date}>{new Date(mail.date).toLocaleTimeString('en-GB')}</time>
        </dd>
      </dl>
      {link && (
        <p>
          <a href={link}>Open the link</a>
        </p>
      )}
      <details>
        <summary>Text of the mail</summary>
        <pre>{mail.text.trim()}</pre>
      </details>
    </article>
  )
}

export default async function MailPage() {
  await connection()
  const mails = await readInbox()
  return (
    <>
      <h1>Mail</h1>
      <p>
        Every mail that this demo has sent, newest first. Nothing leaves this machine. Only a demo
        has such a page: a magic link signs in anyone who can read it.
      </p>
      {mails === null && (
        <p role="status">There is no mail server. Start the demo with npm run demo.</p>
      )}
      {mails?.length === 0 && (
        <p role="status">No mail yet. Sign in with your e-mail address first.</p>
      )}
      {mails?.map((mail) => (
        <Article key={mail.id} mail={mail} />
      ))}
    </>
  )
}
