// How long reading a session takes while passwords are hashed: hashes run on other threads, at most four at once.
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { Auth } from 'lib-auth'
import MemoryAdapter from 'lib-auth/adapters/memory'
import { hashPassword, Password } from 'lib-auth/password'
import { median } from '../measure.mjs'
import { assert, common, cookiesOf, csrf, request } from '../setup.mjs'

const SIGN_INS = 100
/** At most: four are hashed, and 32 wait. */
const HASHED = 36
const PASSWORD = 'correct horse battery staple'
const ROUNDS = 3
/** Milliseconds between two reads. */
const PAUSE = 5

const emailOf = (index) => `user${index}@example.com`

async function siteWithUsers() {
  const adapter = MemoryAdapter()
  const hash = await hashPassword(PASSWORD)
  for (let index = 0; index < SIGN_INS; index++) {
    const id = crypto.randomUUID()
    const user = { id, email: emailOf(index), emailVerified: new Date(), name: null, image: null }
    await adapter.createUser(user)
    await adapter.setPassword(id, { hash, changed: new Date() })
  }
  const config = { ...common, providers: [Password()], adapter, session: { strategy: 'jwt' } }
  const handle = (incoming) => Auth(incoming, config)
  const { cookie, csrfToken } = await csrf(handle)
  const signIn = (index, password = PASSWORD) => {
    const form = { csrfToken, email: emailOf(index), password }
    return handle(request('callback/password', { method: 'POST', cookie, form }))
  }
  return { handle, signIn }
}

const hasSession = (response) => cookiesOf(response).includes('session-token=')
const isRejected = ({ headers }) => headers.get('location')?.includes('TemporarilyUnavailable')

/** Reads the session until the work is done; returns milliseconds of each read. */
async function timeReads(read, work) {
  const state = { isDone: false }
  const done = work().finally(() => (state.isDone = true))
  const times = []
  while (!state.isDone) {
    await sleep(PAUSE)
    const begin = performance.now()
    const response = await read()
    times.push(performance.now() - begin)
    assert((await response.json())?.user?.email === emailOf(0), 'wrong session')
  }
  await done
  return times
}

async function compareReads() {
  const { handle, signIn } = await siteWithUsers()
  const first = await signIn(0)
  assert(hasSession(first), 'the right password has no session')
  assert(!hasSession(await signIn(1, 'wrong')), 'a wrong password has a session')
  const cookie = cookiesOf(first)
  const read = () => handle(request('session', { cookie }))
  async function signInAll() {
    const all = []
    for (let index = 0; index < SIGN_INS; index++) {
      all.push(signIn(index))
      // A server receives each request in another turn of the event loop.
      await setImmediate()
    }
    const responses = await Promise.all(all)
    const sessions = responses.filter(hasSession).length
    const rejected = responses.filter(isRejected).length
    // A busy machine does not hash all of them in time.
    assert(sessions > 0 && sessions <= HASHED, `${sessions} sessions`)
    assert(sessions + rejected === SIGN_INS, `${sessions} sessions, and ${rejected} rejected`)
  }
  const rounds = []
  // The first one compiles the code.
  for (let round = 0; round <= ROUNDS; round++) {
    const idle = median(await timeReads(read, () => sleep(3000)))
    rounds.push({ idle, busy: median(await timeReads(read, signInAll)) })
  }
  const measured = rounds.slice(1)
  const ratio = median(measured.map(({ idle, busy }) => idle / busy))
  return {
    'lib-auth': { microseconds: median(measured.map(({ busy }) => busy)) * 1000, ratio: 1 },
    limit: { microseconds: median(measured.map(({ idle }) => idle)) * 1000, ratio },
  }
}

export const cases = [
  {
    name: `session read over Auth() during ${SIGN_INS} sign-ins with a password`,
    // Below three times of the idle time.
    aim: { slower: 2 },
    run: compareReads,
  },
]
