import type { AccountMail } from 'lib-auth/account'

/** A mail, with its link if it has one. */
interface Mail {
  to: string
  subject: string
  text: string
  url: string
}

/** The last mails, newest first. Only a demo shows them: their links sign in, and choose passwords. */
export const mails: Mail[] = []

/** Replace it by your mail service. */
export async function send(mail: AccountMail): Promise<void> {
  const { to, subject, text } = mail
  mails.unshift({ to, subject, text, url: mail.url ?? '' })
  mails.splice(50)
}
