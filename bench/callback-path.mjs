/** node bench/callback-path.mjs: the functions of dist that an OpenID Connect callback calls in a warm process, by module. */
import { readFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { browser, issuer } from '../dist/testing/index.js'

const DIST = new URL('../dist/', import.meta.url).href

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

/** Adds a function to its module, which a comment in the bundled file names: `// src/core/auth.ts`. */
function addTo(modules, text, { functionName, ranges: [{ startOffset }] }) {
  const [, module] = [...text.slice(0, startOffset).matchAll(/^\/\/ src\/(.+)$/gm)].at(-1)
  if (module.startsWith('testing/')) return
  modules[module] = [...(modules[module] ?? []), functionName || '(anonymous)']
}

const modules = {}
for (const { url, functions } of result.filter((script) => script.url.startsWith(DIST))) {
  const text = readFileSync(new URL(url), 'utf8')
  for (const each of functions.filter(isCalled)) addTo(modules, text, each)
}
console.log(JSON.stringify(modules, null, 1))
const files = Object.keys(modules).length
console.log(`${files} files, ${Object.values(modules).flat().length} functions`)
