import { getAccessToken } from '../../auth'

/** A page cannot set cookies: the proxy refreshes the token before it is rendered. */
export default async function TokenPage() {
  const result = await getAccessToken('op').catch(({ type, code }) => ({ type, code }))
  const text = 'accessToken' in result ? result.accessToken : result.code
  return <p>{`token:${text}:`}</p>
}
