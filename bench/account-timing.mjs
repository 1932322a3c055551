// Response times for existing and unknown accounts, in turn, with protection on. `authorize` returns at once, so that no
// password hash hides a difference of the library.
import { cpus, loadavg } from 'node:os'
import { Auth } from '../dist/index.js'
import MemoryAdapter from '../dist/adapters/memory.js'

const ORIGIN = 'https://app.test'
const RUNS = 200
const WARM_UP = 100

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
}

const nameOf = (kind, index) => `${kind}-${index}@example.com`

async function site() {
  const adapter = MemoryAdapter()
  const existing = new Set()
  for (let index = 0; index < RUNS + WARM_UP; index++) {
    const email = nameOf('existing', index)
    existing.add(email)
    await adapter.createUser({
      id: String(index),
      name: null,
      email,
      emailVerified: null,
      image: null,
    })
  }
  const config = {
    providers: [
      {
        id: 'password',
        type: 'credentials',
        credentials: { email: {}, password: { type: 'password' } },
        // No password is right; the account is looked up, as in an application.
        authorize: ({ email, password }) =>
          existing.has(email) && password === '' ? { id: email } : null,
      },
      { id: 'email', type: 'email', sendVerificationRequest() {} },
    ],
    adapter,
    session: { strategy: 'jwt' },
    secret: 'thirty-two bytes for a measurement, or more',
    trustHost: true,
    logger: { error() {}, warn() {} },
    protection: { clientAddress: { header: 'x-client' } },
  }
  const asked = await Auth(new Request(`${ORIGIN}/auth/csrf`), config)
  const { csrfToken } = await asked.json()
  const cookie = asked.headers.getSetCookie().map((each) => each.split(';', 1)[0])
  return { config, csrfToken, cookie: cookie.join('; ') }
}

/** Microseconds of one request. Each has a client address of its own, so that no limit is exhausted. */
async function time({ config, csrfToken, cookie }, route, { email, address }) {
  const request = new Request(`${ORIGIN}/auth/${route}`, {
    method: 'POST',
    headers: { 'x-client': address, cookie, origin: ORIGIN },
    body: new URLSearchParams({ csrfToken, email, password: 'wrong' }),
  })
  const begin = performance.now()
  const response = await Auth(request, config)
  const elapsed = (performance.now() - begin) * 1000
  if (response.status !== 302) throw new Error(`${route}: status ${response.status}`)
  return elapsed
}

async function compareRoute(name, route) {
  const tested = await site()
  const times = { existing: [], unknown: [] }
  for (let index = 0; index < RUNS + WARM_UP; index++) {
    const kinds = index % 2 ? ['existing', 'unknown'] : ['unknown', 'existing']
    for (const [place, kind] of kinds.entries()) {
      const address = `10.${place}.${index >> 8}.${index & 255}`
      const elapsed = await time(tested, route, { email: nameOf(kind, index), address })
      if (index >= WARM_UP) times[kind].push(elapsed)
    }
  }
  const [existing, unknown] = [median(times.existing), median(times.unknown)]
  const difference = (existing / unknown - 1) * 100
  return `| ${name} | ${existing.toFixed(0)} µs | ${unknown.toFixed(0)} µs | ${difference.toFixed(1)} % |`
}

/** A Markdown table of medians. */
export async function compareTimes() {
  const machine = `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model}, load average ${loadavg()[0].toFixed(1)}`
  return `${machine}

| Request, ${RUNS} times each | existing account | unknown account | difference |
| --- | ---: | ---: | ---: |
${await compareRoute('wrong password', 'callback/password')}
${await compareRoute('mail with a magic link', 'signin/email')}`
}
