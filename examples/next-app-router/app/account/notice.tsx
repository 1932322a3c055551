const DONE: Readonly<Record<string, string>> = {
  confirmed: 'Thank you, it is you. Press the button again.',
  linked: 'The account is linked.',
  unlinked: 'The account is unlinked.',
  app: 'The app is turned off. All other devices are signed out.',
  password: 'The password is saved. All other devices are signed out.',
  'no-password': 'The password is removed. All other devices are signed out.',
  sent: 'The links are on their way.',
  'sent-again': 'The links were sent again. Earlier ones are no longer valid.',
  cancelled: 'The change of the e-mail address is cancelled.',
  device: 'The device is signed out.',
  elsewhere: 'All other devices are signed out.',
  ended: 'That device was signed out already.',
}

const FAILED: Readonly<Record<string, string>> = {
  failed: 'That was not completed. Try again in a moment.',
  last: 'You could not sign in without it. Add another sign-in method first.',
  OAuthAccountNotLinked: 'That account belongs to another user.',
  AccessDenied: 'The account was not linked, because the provider did not allow it.',
}

/** What the last action of the user has done, or why it has not. */
export function Notice({ name }: { name: string }) {
  if (DONE[name])
    return (
      <p role="status" className="done">
        {DONE[name]}
      </p>
    )
  if (FAILED[name]) return <p role="alert">{FAILED[name]}</p>
  return null
}
