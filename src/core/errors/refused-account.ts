/** The accounts that the application refused, by error: the page for the error names them. */
const accounts: WeakMap<object, string> = new WeakMap()

/** Longer than an e-mail address (RFC 5321 §4.5.3.1.3). */
const MAX_LENGTH = 254

/** Takes the first name or address that is known. */
export function noteRefusedAccount(error: object, names: readonly unknown[]): void {
  const name = names.find((each) => typeof each === 'string' && each !== '')
  if (typeof name === 'string' && name.length <= MAX_LENGTH) accounts.set(error, name)
}

export function readRefusedAccount(error: object): string | undefined {
  return accounts.get(error)
}
