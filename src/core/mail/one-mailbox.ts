const ONE_MAILBOX = /^[^\s\p{C}"(),:;<>@[\\\]]+@[^\s\p{C}"(),:;<>@[\\\]]+$/u

/** Whether the text is one plain address: no list of addresses, and no line that would be another header. */
export function isOneMailbox(address: string): boolean {
  return ONE_MAILBOX.test(address)
}
