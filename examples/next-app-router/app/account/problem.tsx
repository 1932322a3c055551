/** By the code of an error, or its type. */
const PROBLEMS: Readonly<Record<string, string>> = {
  too_short: 'Use at least 12 characters.',
  common: 'Many people use this password. Choose another one.',
  unusable: 'This password cannot be used. Choose another one.',
  conflict: 'The password was changed in another window. Try again.',
  current_password: 'The current password is wrong.',
  Verification: 'The code is wrong, or was used already. Enter the next one.',
  InvalidRequest: 'Enter a new address, such as name@example.com.',
  TooManyAttempts: 'Too many attempts. Try again later.',
  AccountMailError: 'The mail could not be sent. Try again in a moment.',
}

/** Why a form was rejected. */
export function Problem({ id, code }: { id: string; code: string | undefined }) {
  if (!code) return null
  return (
    <p id={id} role="alert">
      {PROBLEMS[code] ?? 'A service does not respond. Try again in a moment.'}
    </p>
  )
}
