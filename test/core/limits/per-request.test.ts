/** A configuration that is created for each request, and a process for each request: limits are those of one. */
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import MemoryAdapter from '../../../src/adapters/memory.ts'
import type { Adapter, StoredRecord } from '../../../src/adapters/index.ts'
import { browser } from '../../../src/testing/index.ts'
import { enter, TYPED } from '../../config.ts'
import { followLink, locationOf, mailSite, requestLink, SPENT } from '../../email.ts'
import { BY_HEADER, outcome, site } from './site.ts'

const ALL_SIGNED_IN = Array.from({ length: 20 }, () => null)

/** An adapter that answers as late as a database, and counts the writes that lose to another one. */
function slowAdapter() {
  const adapter = MemoryAdapter()
  const lost: string[] = []
  async function writeRecord(record: StoredRecord, expected?: string | null) {
    await wait(1)
    const isWritten = await adapter.writeRecord(record, expected)
    if (!isWritten) lost.push(record.key)
    return isWritten
  }
  async function readRecords(keys: readonly string[]) {
    await wait(1)
    return adapter.readRecords(keys)
  }
  return { adapter: { ...adapter, readRecords, writeRecord }, lost }
}

/** 20 users of one address, each with the right password at the same time and a configuration of their own. */
async function signInTogether(adapterOf: () => Adapter): Promise<(string | null)[]> {
  const { config } = site(BY_HEADER, {}, { session: { strategy: 'jwt' } })
  const tabs = Array.from({ length: 20 }, () =>
    browser({ ...config, adapter: adapterOf() }, { headers: { 'x-client': '192.0.2.1' } }),
  )
  await Promise.all(tabs.map((tab) => tab.csrfToken()))
  const users = tabs.map((tab, index) => enter(tab, { ...TYPED, username: `user ${index}` }))
  return Promise.all(users.map(async (user) => outcome(await user)))
}

test('20 users of one address sign in at once with a configuration for each request', async () => {
  const { adapter, lost } = slowAdapter()
  expect(await signInTogether(() => adapter)).toEqual(ALL_SIGNED_IN)
  expect(lost).toEqual([])
})

test('20 users of one address sign in at once in a process for each request', async () => {
  const { adapter } = slowAdapter()
  expect(await signInTogether(() => ({ ...adapter }))).toEqual(ALL_SIGNED_IN)
})

test('the third open magic link invalidates the first two with a configuration for each request', async () => {
  const mails = mailSite({ protection: {} }, { methods: { readRecords: undefined } })
  const tab = () => browser({ ...mails.config })
  const links: string[] = []
  for (let count = 0; count < 3; count++) links.push(await requestLink(tab(), mails))
  const answers: (string | null)[] = []
  for (const link of links) answers.push(locationOf(await followLink(tab(), link)))
  expect(answers).toEqual([SPENT, SPENT, 'https://app.test'])
})
