const DONE: Readonly<Record<string, string>> = {
  device: 'The device is signed out.',
  elsewhere: 'All other devices are signed out.',
  ended: 'That device was signed out already.',
}

const FAILED: Readonly<Record<string, string>> = {
  failed: 'A service does not respond, so that was not completed. Try again in a moment.',
  refused: 'Add another passkey before you remove the last one.',
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
