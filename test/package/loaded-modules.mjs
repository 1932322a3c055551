// Signs in and reads the session with an OpenID provider, with and without a database; prints the loaded files of the package.
import { register } from 'node:module'
import { MessageChannel } from 'node:worker_threads'

const HOOKS = `
let port
export const initialize = (data) => void (port = data.port)
export const load = (url, context, next) => {
  port.postMessage(url)
  return next(url, context)
}
`

const { port1, port2 } = new MessageChannel()
const loaded = []
port1.on('message', (url) => loaded.push(url))
port1.unref()
register(`data:text/javascript,${encodeURIComponent(HOOKS)}`, {
  data: { port: port2 },
  transferList: [port2],
})

await import('lib-auth')
const { browser, issuer } = await import('lib-auth/testing')
const { default: MemoryAdapter } = await import('lib-auth/adapters/memory')
const op = await issuer()
const { url, clientId, clientSecret } = op
const provider = { id: 'op', name: 'OP', type: 'oidc', issuer: url, clientId, clientSecret }
const common = { providers: [provider], secret: 'x'.repeat(40), trustHost: true, fetch: op.fetch }
for (const config of [common, { ...common, adapter: MemoryAdapter() }]) {
  const tab = browser(config, { issuer: op })
  await tab.signIn('op', { sub: 'ada', email: 'ada@example.com' })
  if (!(await tab.session())) throw new Error('Not signed in.')
  await tab.post('signout')
}
// The thread of the hooks sends its messages later.
await new Promise((resolve) => setTimeout(resolve, 200))
console.log(loaded.filter((each) => each.includes('/dist/')).join('\n'))
