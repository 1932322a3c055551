import { AccessTokenError, AuthError } from 'lib-auth/errors'
import { getAccessToken } from '../../auth'
import { connectProvider, requestCalendar } from '../actions'

interface Props {
  searchParams: Promise<{ error?: string }>
}

/** What the API of the provider says, or why it cannot be called. */
async function callApi() {
  try {
    const token = await getAccessToken('demo')
    const response = await fetch(`${process.env.DEMO_ISSUER}/me`, {
      headers: { authorization: `Bearer ${token.accessToken}` },
      cache: 'no-store',
    })
    const { name, email } = await response.json()
    return { token, answer: `${name}, ${email}` }
  } catch (error) {
    if (error instanceof AccessTokenError) return { code: error.code }
    if (error instanceof AuthError) return { code: error.type }
    throw error
  }
}

const REASONS: Record<string, string> = {
  not_signed_in: 'Sign in first.',
  not_connected: 'You have not signed in with the demo provider.',
  reconnect: 'The provider no longer accepts the refresh token. Sign in with it again.',
}

function Refused({ code }: { code: string }) {
  return (
    <>
      <p role="status">{REASONS[code] ?? 'The provider does not respond. Try again later.'}</p>
      <form action={connectProvider}>
        <button className="primary">Sign in with the demo provider</button>
      </form>
    </>
  )
}

/** Calls the API of the provider with an access token that is valid for one minute. */
export default async function ApiPage({ searchParams }: Props) {
  const { token, answer, code } = await callApi()
  const { error } = await searchParams
  const hasCalendar = token?.scope.includes('calendar')
  return (
    <>
      <h1>API of the provider</h1>
      <p>
        The access token is valid for one minute. Wait, and load the page again: it is refreshed
        before it expires.
      </p>
      {error && <p role="alert">The provider did not grant the scope ({error}).</p>}
      {token ? (
        <>
          <dl>
            <dt>Response</dt>
            <dd>{answer}</dd>
            <dt>Valid until</dt>
            <dd>{token.expiresAt?.toISOString().slice(11, 19)} UTC</dd>
            <dt>Last refreshed</dt>
            <dd>
              {token.expiresAt &&
                new Date(token.expiresAt.getTime() - 60_000).toISOString().slice(11, 19)}{' '}
              UTC
            </dd>
            <dt>Scopes</dt>
            <dd>{token.scope.join(', ')}</dd>
          </dl>
          {hasCalendar ? (
            <p>The scope “calendar” is granted.</p>
          ) : (
            <form action={requestCalendar}>
              <button className="primary">Ask for the scope “calendar”</button>
            </form>
          )}
        </>
      ) : (
        <Refused code={code} />
      )}
    </>
  )
}
