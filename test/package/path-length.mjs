/** Prints the functions of dist that an OpenID Connect callback calls in a warm process, by file, as JSON. */
import { Session } from 'node:inspector/promises'
import { browser, issuer } from '../../dist/testing/index.js'

const DIST = new URL('../../dist/', import.meta.url).href

const provider = await issuer()
const { clientId, clientSecret } = provider
const config = {
  providers: [{ id: 'op', name: 'OP', type: 'oidc', issuer: provider.url, clientId, clientSecret }],
  secret: 'at least 32 bytes for the sessions of a test',
  trustHost: true,
  fetch: provider.fetch,
}
// The first sign-in loads modules and fills caches.
await browser(config, { issuer: provider }).signIn('op')

const tab = browser(config, { issuer: provider })
const transaction = await tab.begin('op')
const response = await provider.authorize(transaction.url)

const inspector = new Session()
inspector.connect()
await inspector.post('Profiler.enable')
await inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
const { status } = await transaction.comeBack(response)
const { result } = await inspector.post('Profiler.takePreciseCoverage')
if (status !== 302 || !(await tab.session())) throw new Error('The sign-in failed.')

/** A function, and not the module itself, which is listed without a name at the start of the file. */
const isCalled = ({ functionName, ranges: [{ count, startOffset }] }) =>
  count > 0 && (functionName !== '' || startOffset > 0)

const called = result
  .filter(({ url }) => url.startsWith(DIST) && !url.startsWith(`${DIST}testing/`))
  .map(({ url, functions }) => [url.slice(DIST.length), functions.filter(isCalled)])
  .filter(([, functions]) => functions.length > 0)
  .map(([file, functions]) => [file, functions.map((each) => each.functionName || '(anonymous)')])
console.log(JSON.stringify(Object.fromEntries(called)))
