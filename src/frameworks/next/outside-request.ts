import { InvalidConfiguration } from '../../core/errors/classes.ts'

const AUTH_OUTSIDE_REQUEST =
  'auth() was called without arguments outside a server component, a server action or a route handler. In the Pages Router, call auth(request, response) in an API route and auth(context) in getServerSideProps; on the edge, wrap the API route: auth((request) => …).'

const PASSKEYS_OUTSIDE_REQUEST =
  'A function of passkeys was called outside a server component, a server action or a route handler. In the Pages Router, call listPasskeys(request, config), renamePasskey or removePasskey of lib-auth/passkeys.'

const MOCK_HINT =
  "In a test, a mock of next/headers affects the library only if the test runner transforms it (Vitest: server.deps.inline: ['lib-auth'])."

/** A function that needs the request of Next. */
export type FunctionName = 'auth' | 'signIn' | 'signOut' | 'update' | 'passkeys'

function messageFor(name: FunctionName): string {
  if (name === 'auth') return AUTH_OUTSIDE_REQUEST
  if (name === 'passkeys') return PASSKEYS_OUTSIDE_REQUEST
  const owner = name === 'update' ? 'useSession() of lib-auth/react' : 'lib-auth/react'
  return `${name}() was called outside a server action or a route handler. In the browser, and with the Pages Router, call ${name}() of ${owner}.`
}

/** Loaded on demand, because the proxy would load the messages before the first request. */
export function outsideRequest(name: FunctionName, cause: Error): InvalidConfiguration {
  return new InvalidConfiguration(`${messageFor(name)} ${MOCK_HINT}`, { cause })
}
