// npm run simulate-attacks: prints how many guesses and mails pass the default limits, and what the owner of the account
// experiences meanwhile. docs/reference/protection.md contains the output.
import { fileURLToPath } from 'node:url'
import { compareTimes } from './account-timing.mjs'
import { attackedSite, clock, OWNER, play, withSimulatedClock } from './attacked-site.mjs'

const HELP = `npm run simulate-attacks              the three attacks, with a simulated clock: takes a quarter of a minute
npm run simulate-attacks -- timing    response times for existing and unknown accounts, on this machine`

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const ADDRESSES = Array.from({ length: 1000 }, (_, index) => `10.0.${index >> 8}.${index & 255}`)
const ACCOUNTS = ADDRESSES.map((_, index) => `user-${index}@example.com`)
const OWN_ADDRESS = '192.0.2.1'
const ATTACKER = '10.0.0.1'

const number = (value) => value.toLocaleString('en')

function table(head, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`
  const dashes = head.map((_, column) => (column === 0 ? '---' : '---:'))
  return [line(head), line(dashes), ...rows.map(line)].join('\n')
}

const countBetween = (times, from, to) => times.filter((at) => at >= from && at < to).length

/** Rows of a table; a figure above its bound ends the program with an error. */
function periods(rows, times) {
  return rows.map(([name, from, to, bound]) => {
    const count = countBetween(times, from, to)
    if (count > bound) throw new Error(`${name}: ${count}, and at most ${bound} are allowed.`)
    return [name, number(count), number(bound)]
  })
}

/** Guesses whenever a limit may allow one. It wins each race for the next attempt, which is the worst case for the owner. */
function guesser(guess, burst) {
  let sent = 0
  const act = async () => {
    while (sent < burst) await guess(sent++)
    const { error, retryAfter } = await guess(sent++)
    return error === 'TooManyAttempts' ? retryAfter : 0
  }
  return { act, sent: () => sent }
}

/** An owner who signs in once an hour. */
function hourly(attempt) {
  const waits = []
  let [signedIn, tried] = [0, 0]
  const act = async () => {
    tried++
    const rejected = await attempt()
    if (rejected) waits.push(rejected.retryAfter)
    else signedIn++
    return HOUR
  }
  const result = () => `${signedIn} of ${tried}`
  const wait = () =>
    [...new Set([Math.min(...waits), Math.max(...waits)])]
      .filter(Number.isFinite)
      .map(duration)
      .join(' to ')
  return { first: HOUR / 2, act, result, wait }
}

function duration(seconds) {
  const minutes = Math.floor(seconds / MINUTE)
  return [minutes > 0 && `${minutes} min`, seconds % MINUTE > 0 && `${seconds % MINUTE} s`]
    .filter(Boolean)
    .join(' ')
}

/** How the owner signs in to the attacked account. */
async function ownerSignIns({ open, signInWithPassword, signInByMail }, address = OWN_ADDRESS) {
  const known = open(OWN_ADDRESS)
  // So that this e-mail is not charged to the attacker.
  clock.seconds = -HOUR
  await signInByMail(known)
  clock.seconds = 0
  await signInWithPassword(known)
  const byMail = async (tab) => ((await signInByMail(tab)) ? null : { retryAfter: 0 })
  return {
    known: hourly(() => signInWithPassword(known)),
    unknown: hourly(() => signInWithPassword(open(address))),
    knownMail: hourly(() => byMail(known)),
    mail: hourly(() => byMail(open(address))),
  }
}

function ownerTable({ known, unknown, knownMail, mail }) {
  const head = ['The owner, once an hour', 'Signed in', 'Time to wait on the page']
  return table(head, [
    ['with the password, in a known browser', known.result(), known.wait()],
    ['with the password, in a new browser', unknown.result(), unknown.wait()],
    ['with a magic link, in a known browser', knownMail.result(), ''],
    ['with a magic link, in a new browser', mail.result(), ''],
  ])
}

async function oneAccount() {
  const site = await attackedSite()
  const owner = await ownerSignIns(site)
  const attack = guesser((index) => site.guess(ADDRESSES[index % 1000], OWNER), 1000)
  await play([attack, ...Object.values(owner)], 2 * DAY)
  const rows = [
    ['first hour', 0, HOUR, 60],
    ['first day', 0, DAY, 200],
    ['second day', DAY, 2 * DAY, 100],
  ]
  return `### One account from 1,000 addresses

${number(attack.sent())} guesses: 1,000 at once, one from each address, then one whenever a limit may allow it.

${table(['Time', 'Passwords checked', 'Bound'], periods(rows, site.checked))}

${ownerTable(owner)}

An attacker who once had the password or the mailbox may have known browsers, at most ten more each day, which stay known when the password changes.
All known browsers of an account together have a bound for each day, as all unknown ones have:

${await ceilings()}`
}

const openTabs = ({ open }) => ADDRESSES.slice(0, 12).map((address) => open(address))
const isKnown = ({ cookies }) => cookies.get('__Host-lib.known') !== undefined

/** Wrong passwords, in turn, in the known browsers of an attacker who once had the password. */
async function formerPassword() {
  const site = await attackedSite()
  const tabs = openTabs(site)
  for (const tab of tabs) await site.signInWithPassword(tab)
  const act = async () => {
    for (const tab of tabs.filter(isKnown)) await site.guessIn(tab)
    return 10 * MINUTE
  }
  await play([{ act }], 2 * DAY)
  return site.checked
}

/** Wrong codes, in turn, in new browsers or in the known ones of an attacker who once had the mailbox. */
async function guessedCodes(browsers) {
  const site = await attackedSite()
  let tabs = openTabs(site)
  if (browsers === 'known') {
    for (const [index, tab] of tabs.entries()) {
      // So that no limit on e-mails applies meanwhile.
      clock.seconds = (index - tabs.length) * 15 * MINUTE
      await site.requestCode(tab)
      await site.enterCode(tab, 'right')
      await tab.post('signout')
    }
    tabs = tabs.filter(isKnown)
  }
  clock.seconds = 0
  const act = async () => {
    for (const tab of tabs)
      if (await site.requestCode(tab)) for (let at = 0; at < 5; at++) await site.enterCode(tab)
    return 10 * MINUTE
  }
  await play([{ act }], 2 * DAY)
  return site.compared
}

async function ceilings() {
  const head = ['Wrong guesses', 'First day', 'Bound', 'Second day', 'Bound']
  const row = (name, bound, times) => {
    const days = [
      [`${name}, first day`, 0, DAY, 2 * bound],
      [`${name}, second day`, DAY, 2 * DAY, bound],
    ]
    return [name].concat(periods(days, times).flatMap(([, ...figures]) => figures))
  }
  const rows = [
    row('passwords, known browsers', 100, await formerPassword()),
    row('codes, known browsers', 50, await guessedCodes('known')),
    row('codes, new browsers', 50, await guessedCodes('new')),
  ]
  return table(head, rows)
}

async function manyAccounts() {
  const site = await attackedSite()
  const owner = await ownerSignIns(site)
  const neighbour = await ownerSignIns(site, ATTACKER)
  const attack = guesser((index) => site.guess(ATTACKER, ACCOUNTS[index % 1000]), 1000)
  await play([attack, owner.unknown, ...Object.values(neighbour)], DAY)
  const rows = [
    ['first 15 minutes', 0, 15 * MINUTE, 40],
    ['next 15 minutes', 15 * MINUTE, 30 * MINUTE, 20],
    ['first hour', 0, HOUR, 100],
    ['first day', 0, DAY, 1940],
  ]
  const office = await attackedSite()
  let signedIn = 0
  for (const account of ACCOUNTS.slice(0, 40))
    if (!(await office.signInWithPassword(office.open(ATTACKER), account))) signedIn++
  return `### 1,000 accounts from one address

${number(attack.sent())} guesses: one for each account at once, then one whenever the limit may allow it.

${table(['Time', 'Passwords checked', 'Bound'], periods(rows, site.checked))}

From other addresses, the attack has no effect: ${owner.unknown.result()} sign-ins in a new browser succeed. A user with the same address as the attacker:

${ownerTable(neighbour)}

Without an attack, ${signedIn} of 40 users sign in from one address, one after another within a minute.`
}

/** Requests mails: 1,500 at once, then one every 90 seconds. No response shows whether a mail was sent. */
function flooder({ mails, requestMail }, request) {
  const times = []
  let requested = 0
  const act = async () => {
    do {
      const before = mails.length
      await requestMail(...request(requested++))
      if (mails.length > before) times.push(clock.seconds)
    } while (requested < 1500)
    return 90
  }
  return { act, times, requested: () => requested }
}

async function flood(request, burst) {
  const site = await attackedSite()
  const owner = await ownerSignIns(site)
  const attack = flooder(site, request)
  await play([attack, ...Object.values(owner)], DAY)
  const rows = [
    ['at once', 0, 1, burst],
    ['first hour', 0, HOUR, 5 * burst],
    ['first day', 0, DAY, 97 * burst],
  ]
  return {
    owner,
    requests: `${number(attack.requested())} requests for mails`,
    mails: table(['Time', 'Mails sent', 'Bound'], periods(rows, attack.times)),
  }
}

async function mailFlood() {
  const one = await flood((index) => [ADDRESSES[index % 1000], OWNER], 3)
  const many = await flood((index) => [ATTACKER, `user-${index}@example.com`], 10)
  return `### Mail flood

${one.requests} to one address, from 1,000 client addresses: 1,500 at once, then one every 90 seconds.

${one.mails}

${ownerTable(one.owner)}

${many.requests} to as many addresses, from one client address: 1,500 at once, then one every 90 seconds.

${many.mails}

From other client addresses, this attack has no effect: ${many.owner.mail.result()} sign-ins with a magic link succeed.`
}

/** The three attacks, as Markdown. */
export async function simulateAttacks() {
  const texts = []
  for (const attack of [oneAccount, manyAccounts, mailFlood])
    texts.push(await withSimulatedClock(attack))
  return texts.join('\n\n')
}

async function main(name) {
  if (name === undefined) return simulateAttacks()
  if (name === 'timing') return compareTimes()
  if (name === '--help' || name === '-h') return HELP
  throw new Error(`There is no simulation "${name}".\n\n${HELP}`)
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  try {
    console.log(await main(process.argv[2]))
  } catch (error) {
    console.error(error.message)
    process.exitCode = 1
  }
