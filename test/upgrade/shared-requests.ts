/** Two releases as processes of one site, behind a load balancer that sends each request to either of them. */
import { expect } from 'vitest'
import type { FrozenDialect } from './databases.ts'
import type { Library } from './library.ts'
import { openBackend, openSite } from './site.ts'
import type { Site, SiteName } from './site.ts'

const REQUESTS = 200
const PEOPLE = 10

interface Person {
  readonly email: string
  readonly method: 'op' | 'email'
  cookies: readonly { readonly name: string; readonly value: string }[]
  isSignedIn: boolean
}

/** The same numbers in each run. */
function createDice(): (sides: number) => number {
  let state = 20260102
  return (sides) => {
    state = (state * 1103515245 + 12345) % 2 ** 31
    return Math.floor((state / 2 ** 31) * sides)
  }
}

/** Sends requests with the cookies of this person, who has one browser for both processes. */
async function as<T>(person: Person, { tab }: Site, send: () => Promise<T>): Promise<T> {
  for (const { name } of tab.cookies.all()) tab.cookies.delete(name)
  for (const { name, value } of person.cookies) tab.cookies.set(name, value)
  const result = await send()
  person.cookies = tab.cookies.all()
  return result
}

async function startSignIn(person: Person, site: Site): Promise<string> {
  return as(person, site, async () => {
    if (person.method === 'op') return (await site.tab.begin('op')).url.href
    await site.tab.post('signin/email', { email: person.email })
    return site.mails.at(-1) ?? ''
  })
}

async function finishSignIn(person: Person, site: Site, url: string): Promise<void> {
  const { email, method } = person
  const answer = { sub: email, name: 'Ada', email, email_verified: true }
  const target = method === 'email' ? url : (await site.op.authorize(url, answer)).url
  await as(person, site, () => site.tab.request(target, { initiator: 'cross-site' }))
}

const emailOf = (person: Person, site: Site) =>
  as(person, site, async () => (await site.tab.session())?.user?.email ?? null)

export async function shareRequests(
  name: SiteName,
  dialect: FrozenDialect,
  libraries: readonly Library[],
): Promise<void> {
  const backend = await openBackend(libraries[0] as Library, dialect)
  const start = () => Promise.all(libraries.map((library) => openSite(library, name, backend)))
  const dice = createDice()
  const people = Array.from({ length: PEOPLE }, (_, index): Person => {
    const method = index % 2 === 0 ? 'op' : 'email'
    return { email: `person-${index}@a.test`, method, cookies: [], isSignedIn: false }
  })
  let sites = await start()
  const done = { read: 0, signIn: 0, signOut: 0 }
  for (let request = 0; request < REQUESTS; request++) {
    if (request === REQUESTS / 2) sites = await start()
    const [one, other] = (dice(2) ? sites : sites.toReversed()) as [Site, Site]
    const person = people[dice(PEOPLE)] as Person
    if (!person.isSignedIn) {
      await finishSignIn(person, other, await startSignIn(person, one))
      person.isSignedIn = true
      done.signIn++
    } else if (person.method === 'op' && dice(4) === 0) {
      await as(person, one, () => one.tab.post('signout'))
      person.isSignedIn = false
      done.signOut++
    } else done.read++
    const expected = person.isSignedIn ? person.email : null
    expect(await emailOf(person, other)).toBe(expected)
    expect(await emailOf(person, one)).toBe(expected)
    expect([one.log.errors, other.log.errors]).toEqual([[], []])
  }
  expect(Math.min(...Object.values(done))).toBeGreaterThan(10)
  await backend.database.db.destroy()
}
