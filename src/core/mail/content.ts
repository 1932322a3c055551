/** The texts of the mails of the account functions. */
import { html } from '../pages/html.ts'
import { durationText } from '../pages/duration.ts'
import { englishMails } from '../pages/mail-messages.ts'
import type { MailMessage } from '../pages/mail-messages.ts'
import { readText } from '../pages/messages.ts'
import type { Theme } from '../pages/theme.ts'
import type { AccountMail, AccountMailFacts, AccountNotice } from './account-mail.ts'
import { mailButton, mailPage, mailSiteName, withoutLinks } from './layout.ts'

type Values = Readonly<Record<string, string>>

interface Content {
  readonly title: MailMessage
  readonly text: MailMessage
  readonly button?: MailMessage
  /** What the link does. */
  readonly about?: MailMessage
  readonly foot: MailMessage
  readonly values?: Values
}

const NOTICES: Readonly<Record<AccountNotice['change'], MailMessage>> = {
  'account-linked': 'noticeAccountLinked',
  'account-unlinked': 'noticeAccountUnlinked',
  'passkey-added': 'noticePasskeyAdded',
  'passkey-removed': 'noticePasskeyRemoved',
  'factor-added': 'noticeFactorAdded',
  'factor-removed': 'noticeFactorRemoved',
  'recovery-codes-created': 'noticeRecoveryCodes',
  'recovery-code-used': 'noticeRecoveryCodeUsed',
  'password-changed': 'noticePasswordChanged',
  'password-removed': 'noticePasswordRemoved',
  'address-changed': 'noticeAddressChanged',
  'users-merged': 'noticeUsersMerged',
  'merged-into': 'noticeMergedInto',
}

/** What the user cannot undo after a sign-in has other advice. */
const ADVICE: Partial<typeof NOTICES> = {
  'password-changed': 'noticePasswordAdvice',
  'password-removed': 'noticePasswordAdvice',
  'recovery-code-used': 'noticeContactAdvice',
  'users-merged': 'noticeContactAdvice',
  'merged-into': 'noticeContactAdvice',
}

function noticeContent(notice: AccountNotice): Content {
  const values = {
    ...('provider' in notice && { provider: notice.provider }),
    ...('left' in notice && { count: String(notice.left) }),
    ...('address' in notice && { address: notice.address }),
  }
  return {
    title: 'noticeTitle',
    text: NOTICES[notice.change],
    button: 'noticeUndoButton',
    about: 'noticeUndoText',
    foot: ADVICE[notice.change] ?? 'noticeAdvice',
    values,
  }
}

function contentOf(mail: AccountMailFacts): Content {
  switch (mail.kind) {
    case 'sign-up':
      return mail.user
        ? {
            title: 'mailSignUpKnown',
            text: 'mailSignUpKnownText',
            button: 'mailSignInButton',
            foot: 'mailIgnore',
          }
        : {
            title: 'mailSignUp',
            text: 'mailSignUpText',
            button: 'mailSignUpButton',
            about: 'mailExpires',
            foot: 'mailIgnore',
          }
    case 'reset':
      return mail.user
        ? {
            title: 'mailReset',
            text: 'mailResetText',
            button: 'mailResetButton',
            about: 'mailExpires',
            foot: 'mailIgnore',
          }
        : {
            title: 'mailResetUnknown',
            text: 'mailResetUnknownText',
            button: 'mailSignInPageButton',
            foot: 'mailIgnore',
          }
    case 'address-change':
      // The new mailbox may be that of a stranger: the mail names neither the user nor their address.
      return mail.mailbox === 'new'
        ? {
            title: 'mailNewAddress',
            text: 'mailNewAddressText',
            button: 'mailAddressButton',
            about: 'mailExpires',
            foot: 'mailIgnore',
          }
        : {
            title: 'mailCurrentAddress',
            text: 'mailCurrentAddressText',
            button: 'mailAddressButton',
            about: 'mailExpires',
            foot: 'mailCurrentAddressAdvice',
            values: { address: mail.address },
          }
    case 'notice':
      return noticeContent(mail.notice)
  }
}

/** Placeholders without a value are removed. */
function fill({ messages }: Theme, name: MailMessage, values: Values): string {
  // The application may have set another value.
  const own: unknown = messages?.[name]
  const text = typeof own === 'string' ? own : englishMails[name]
  return text.replaceAll(/\{(\w+)\}/g, (_, key: string) =>
    Object.hasOwn(values, key) ? (values[key] ?? '') : '',
  )
}

/** `host` is that of the site; empty if it is unknown. */
export function accountMail(
  facts: AccountMailFacts,
  { theme, host }: { readonly theme: Theme; readonly host: string },
): AccountMail {
  const { title, text, button, about, foot, values = {} } = contentOf(facts)
  const { url, expires } = facts
  const seconds = expires ? (expires.getTime() - Date.now()) / 1000 : 0
  const all = {
    site: mailSiteName(theme, host),
    time: durationText(theme, seconds),
    ...values,
  }
  const plain = (name: MailMessage) => fill(theme, name, all)
  const unlinked = Object.fromEntries(
    Object.entries(all).map(([name, value]) => [name, withoutLinks(value)]),
  )
  const shown = (name: MailMessage) => fill(theme, name, unlinked)
  const subject = plain(title)
    .replace(/[\s\p{C}]+/gu, ' ')
    .trim()
  const link = url !== undefined && button !== undefined
  const lines = [
    subject,
    plain(text),
    ...(link ? [`${plain(button)}:\n${url}`, ...(about ? [plain(about)] : [])] : []),
    plain(foot),
  ]
  const paragraph = (name: MailMessage) =>
    html`<p style="margin: 24px 0; font-size: 16px">${shown(name)}</p>`
  const page = mailPage({
    lang: readText(theme, 'lang'),
    title: shown(title),
    heading: html`${shown(title)}`,
    body: html`${paragraph(text)}${link && mailButton(theme, url, html`${shown(button)}`)}${
      link && about !== undefined && paragraph(about)
    }`,
    foot: html`${shown(foot)}`,
  })
  return { ...facts, subject, text: `${lines.join('\n\n')}\n`, html: page }
}
