// A site under attack: the built library, with a clock that only the simulation sets.
import { Auth } from '../dist/index.js'
import MemoryAdapter from '../dist/adapters/memory.js'
import { browser } from '../dist/testing/index.js'

const ORIGIN = 'https://app.test'
const START = Date.parse('2026-01-01T00:00:00Z')
const SystemDate = Date

export const OWNER = 'ada@example.com'
const PASSWORD = 'correct horse battery staple'

/** Seconds since the start of the simulation. */
export const clock = { seconds: 0 }

class SimulatedDate extends SystemDate {
  constructor(...args) {
    super(...(args.length > 0 ? args : [SimulatedDate.now()]))
  }

  static now() {
    return START + clock.seconds * 1000
  }
}

/** Replaces the system clock with that of the simulation while `work` runs. */
export async function withSimulatedClock(work) {
  clock.seconds = 0
  globalThis.Date = SimulatedDate
  try {
    return await work()
  } finally {
    globalThis.Date = SystemDate
  }
}

/** What a response shows to an attacker: the error, and the seconds to wait. */
function readOutcome(response) {
  const { searchParams } = new URL(response.headers.get('location') ?? ORIGIN)
  return {
    error: searchParams.get('error'),
    retryAfter: Number(searchParams.get('retryAfter') ?? 0),
  }
}

/**
 * A site with passwords, magic links and e-mail codes, whose default limits count by the address in `x-client`.
 * `checked`, `mails` and `compared` contain the seconds at which a password was checked, a mail was sent, and a wrong
 * code was compared.
 */
export async function attackedSite({ protection } = {}) {
  const checked = []
  const mails = []
  const compared = []
  const credentials = {
    id: 'password',
    type: 'credentials',
    credentials: { email: {}, password: { type: 'password' } },
    authorize({ email, password }) {
      if (password === PASSWORD) return { id: email, email }
      checked.push(clock.seconds)
      return null
    },
  }
  const email = {
    id: 'email',
    type: 'email',
    sendVerificationRequest: ({ url }) => void mails.push({ seconds: clock.seconds, url }),
  }
  const code = {
    id: 'code',
    type: 'email',
    method: 'code',
    sendVerificationRequest: (sent) => void mails.push({ seconds: clock.seconds, code: sent.code }),
  }
  const adapter = MemoryAdapter()
  await adapter.createUser({ id: 'ada', name: 'Ada', email: OWNER, emailVerified: new Date() })
  const config = {
    providers: [credentials, email, code],
    adapter,
    session: { strategy: 'jwt' },
    secret: 'thirty-two bytes for a simulation, or more',
    trustHost: true,
    logger: { error() {}, warn() {} },
    protection: protection ?? { clientAddress: { header: 'x-client' } },
  }
  const csrf = await Auth(new Request(`${ORIGIN}/auth/csrf`), config)
  const { csrfToken } = await csrf.json()
  const cookie = csrf.headers.getSetCookie().map((each) => each.split(';', 1)[0])

  /** Sends a form without a browser: attackers keep only the cookie of the CSRF token. */
  async function send(route, address, fields) {
    const request = new Request(`${ORIGIN}/auth/${route}`, {
      method: 'POST',
      headers: { 'x-client': address, cookie: cookie.join('; '), origin: ORIGIN },
      body: new URLSearchParams({ csrfToken, ...fields }),
    })
    return readOutcome(await Auth(request, config))
  }

  const open = (address) => browser(config, { origin: ORIGIN, headers: { 'x-client': address } })
  return {
    checked,
    mails,
    compared,
    guess: (address, account) =>
      send('callback/password', address, { email: account, password: 'wrong' }),
    requestMail: (address, recipient) => send('signin/email', address, { email: recipient }),
    open,
    /** Enters a wrong password in a browser that keeps its cookies. */
    async guessIn(tab, account = OWNER) {
      const fields = { email: account, password: 'wrong' }
      return readOutcome(await tab.post('callback/password', fields))
    },
    /** Requests a code; returns whether it was sent. */
    async requestCode(tab) {
      const before = mails.length
      await tab.post('signin/code', { email: OWNER })
      return mails.length > before
    },
    /** Enters the last code that was sent, or a wrong code. */
    async enterCode(tab, which = 'wrong') {
      const sent = mails.at(-1)?.code ?? ''
      const wrong = sent === '000000' ? '000001' : '000000'
      const outcome = readOutcome(
        await tab.post('callback/code', { code: which === 'right' ? sent : wrong }),
      )
      if (outcome.error === 'Verification') compared.push(clock.seconds)
      return outcome
    },
    /** Enters the right password; returns `null` if that signs in. */
    async signInWithPassword(tab, account = OWNER) {
      const response = await tab.post('callback/password', { email: account, password: PASSWORD })
      const outcome = readOutcome(response)
      return outcome.error ? outcome : null
    },
    /** Requests a magic link and opens it; returns whether that signs in. */
    async signInByMail(tab) {
      const before = mails.length
      await tab.post('signout')
      await tab.post('signin/email', { email: OWNER })
      if (mails.length === before) return false
      await tab.request(mails.at(-1).url, { initiator: 'cross-site' })
      return (await tab.session())?.user.email === OWNER
    },
  }
}

/** Runs the actors until `end`, in the order of their times; `act` returns the seconds until its next turn. */
export async function play(actors, end) {
  const turns = actors.map(({ first = 0, act }) => ({ at: first, act }))
  for (;;) {
    const turn = turns.reduce((best, each) => (each.at < best.at ? each : best))
    if (turn.at >= end) break
    clock.seconds = turn.at
    turn.at += await turn.act()
  }
  clock.seconds = end
}
