// The other routes: csrf, providers, the sign-in page, and signing in.
import { compare } from '../measure.mjs'
import {
  assert,
  cookiesOf,
  credentialsRequest,
  csrf,
  ORIGIN,
  request,
  signInAtProvider,
  sites,
} from '../setup.mjs'

function each(make) {
  return Object.fromEntries(Object.entries(sites).map(([name, site]) => [name, make(name, site)]))
}

function simple(path, isRight) {
  return each((name, { handle }) => ({
    check: async () => {
      const response = await handle(request(path))
      assert(isRight(await response.text(), response), `${name}: wrong answer of ${path}`)
    },
    prepare: () => request(path),
    run: handle,
  }))
}

function credentials() {
  return each((name, { handle, sessionCookie }) => {
    let cached
    const make = async () => credentialsRequest((cached ??= await csrf(handle)))
    return {
      check: async () => {
        const response = await handle(await make())
        assert(response.status === 302, `${name}: no redirect`)
        assert(response.headers.get('location') === `${ORIGIN}/home`, `${name}: wrong target`)
        assert(cookiesOf(response).includes(sessionCookie), `${name}: no session`)
      },
      prepare: make,
      run: handle,
    }
  })
}

function login() {
  return each((name, { handle, sessionCookie }) => ({
    check: async () => {
      const { response } = await signInAtProvider(handle)
      assert(cookiesOf(response).includes(sessionCookie), `${name}: no session`)
    },
    // Includes the RSA signature of the ID token by the provider, for both alike.
    timed: async () => (await signInAtProvider(handle)).time,
  }))
}

export const cases = [
  { name: 'csrf', run: () => compare(simple('csrf', (text) => /"csrfToken"/.test(text))) },
  { name: 'providers', run: () => compare(simple('providers', (text) => /"op"/.test(text))) },
  {
    name: 'sign-in page',
    run: () => compare(simple('signin', (text) => /(?:Sign in|Continue) with OP/.test(text))),
  },
  {
    name: 'sign-in with credentials',
    aim: { peer: 8 },
    run: () => compare(credentials()),
  },
  { name: 'sign-in at a provider, warm', run: () => compare(login(), { rounds: 20, batch: 10 }) },
]
