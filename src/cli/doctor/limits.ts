/** What attempts are limited by, where they are counted, and what a page of the application needs for e-mail codes. */
import type { Adapter } from '../../adapters/index.ts'
import { storesRecords } from '../../config/adapter.ts'
import { lacksClientAddress } from '../../config/protection.ts'
import type { AuthConfig } from '../../config/types.ts'
import { runsInProduction } from '../../variables.ts'
import { topic } from './subject.ts'
import type { Finding, Subject } from './subject.ts'

const ADDRESS =
  'protection.clientAddress to the header that your proxy sets, or to "none": see node_modules/lib-auth/docs/guides/protection.md#configure-the-client-address'

function counts({ protection = {} }: AuthConfig): string {
  const source = protection === 'off' ? undefined : protection.clientAddress
  if (source === undefined || source === 'none') return 'by account, not by client address'
  if (typeof source === 'function')
    return 'by account and by client address (a function of the headers)'
  const { header, hops = 1 } = source
  return `by account and by client address (header ${header}, hops ${hops})`
}

/** Nothing without a provider whose secrets can be guessed. */
export function* checkLimits(
  { config, providers }: Subject,
  adapter?: Adapter,
): Generator<Finding> {
  const { protection, store } = config
  const { ok, warning } = topic('limits')
  if (!providers.some(({ type }) => /^(?:credentials|email|webauthn)$/.test(type))) return
  if (protection === 'off')
    return yield ok`off (protection: 'off'): wrong passwords and e-mails are not limited.`
  const isShared = Boolean(protection?.store) || storesRecords({ adapter, store })
  const what = `attempts are counted ${counts(config)}, ${isShared ? 'in the store of records' : 'in the memory of each process'}.`
  if (lacksClientAddress(config, providers) && runsInProduction())
    yield warning`${what} → Set ${ADDRESS}`
  else if (lacksClientAddress(config, providers)) yield ok`${what} → For production, set ${ADDRESS}`
  else if (isShared) yield ok`${what}`
  else yield ok`${what} → For several processes, set store, for example to RedisAdapter(client).`
}

/** The page is not loaded, so that this is a note. */
export function* checkCodePage({ config, providers }: Subject): Generator<Finding> {
  const page = config.pages?.verifyRequest
  for (const provider of providers)
    if (page && provider.type === 'email' && (provider.method ?? 'link') !== 'link')
      yield topic(`provider ${provider.id}`)
        .ok`method is '${provider.method}', and pages.verifyRequest is ${page}: that page has to contain a field for the code. → An example: node_modules/lib-auth/docs/guides/email.md#write-your-own-page-for-the-code`
}
