// A certified OpenID provider on loopback, and somebody who signs in at it. It takes any password.
import { generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:http'
import { Provider } from 'oidc-provider'

/** A port nobody listens on. */
async function freePort() {
  const server = createServer()
  await new Promise((resolve) => server.listen(0, 'localhost', resolve))
  const { port } = server.address()
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Starts the provider, with keys of its own. */
export async function startCertified({ clients, port }) {
  const at = port ?? (await freePort())
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const provider = new Provider(`http://localhost:${at}`, {
    clients,
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig' }] },
    claims: { openid: ['sub'], profile: ['name'], email: ['email', 'email_verified'] },
    // Claims of scopes are told by the userinfo endpoint alone, as the standard has it.
    conformIdTokenClaims: true,
    cookies: { keys: ['a key for the cookies of a test'] },
    features: { devInteractions: { enabled: true } },
    findAccount: (_ctx, sub) => ({
      accountId: sub,
      claims: () => ({ sub, name: 'Ada Lovelace', email: 'ada@example.com', email_verified: true }),
    }),
    ttl: { AccessToken: 60, IdToken: 60, Session: 60, Grant: 60, Interaction: 60 },
  })
  const requests = []
  const server = createServer((request, response) => {
    // Without connections that stay open, another provider can take the port at once.
    response.setHeader('connection', 'close')
    requests.push(new URL(request.url, provider.issuer).pathname)
    return provider.callback()(request, response)
  })
  await new Promise((resolve) => server.listen(at, 'localhost', resolve))
  return {
    issuer: provider.issuer,
    port: at,
    requests,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Cookies by name and path: the provider has several of one name, for the pages of each interaction. */
function pathCookies() {
  const cookies = new Map()
  return {
    header: ({ pathname }) =>
      [...cookies.values()]
        .filter(({ path }) => pathname.startsWith(path))
        .map(({ pair }) => pair)
        .join('; '),
    accept(header) {
      const [pair, ...attributes] = header.split('; ')
      const path = attributes.find((each) => each.startsWith('path='))?.slice(5) ?? '/'
      const key = `${pair.split('=')[0]} ${path}`
      if (attributes.some((each) => each.includes('expires=Thu, 01 Jan 1970'))) cookies.delete(key)
      else cookies.set(key, { pair, path })
    },
  }
}

/**
 * What a person does at the provider: types a name, agrees, and is sent back.
 *
 * @returns the URL the browser is sent back to
 */
export async function agree(start, { issuer, refuse = false }) {
  const cookies = pathCookies()
  const send = async (url, method = 'GET', form) => {
    const response = await fetch(url, {
      method,
      redirect: 'manual',
      headers: { cookie: cookies.header(url) },
      ...(form && { body: new URLSearchParams(form) }),
    })
    for (const each of response.headers.getSetCookie()) cookies.accept(each)
    return response
  }
  let url = new URL(start)
  for (let hops = 0; hops < 12; hops++) {
    if (url.origin !== issuer) return url.href
    let response = await send(url)
    if (response.status === 200) {
      const prompt = /name="prompt" value="(\w+)"/.exec(await response.text())?.[1]
      response = refuse
        ? await send(new URL(`${url.href}/abort`))
        : await send(url, 'POST', { prompt, login: 'ada', password: 'any' })
    }
    const location = response.headers.get('location')
    if (!location) throw new Error(`The provider answered with ${response.status}.`)
    url = new URL(location, url)
  }
  throw new Error('The provider does not lead back.')
}
