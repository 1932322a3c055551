/** What attempts are limited by, where they are counted, and what a page of the application needs for e-mail codes. */
import type { Adapter } from '../../core/database/adapter.ts'
import { storesRecords } from '../../core/config/adapter.ts'
import { lacksClientAddress } from '../../core/config/protection.ts'
import type { AuthConfig } from '../../core/config/types.ts'
import { isRecord } from '../../core/is-record.ts'
import { runsInProduction } from '../../core/config/variables.ts'
import { topic } from './context.ts'
import type { Finding, DoctorContext } from './context.ts'

/** Units of time, in seconds. */
const UNITS = [
  ['d', 86_400],
  ['h', 3600],
  ['min', 60],
] as const
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

/** Seconds in the largest unit that divides them, so that minutes or milliseconds in their place are noticed. */
function duration(seconds: number): string {
  const [name, size] = UNITS.find(([, each]) => seconds % each === 0) ?? ['s', 1]
  return `${seconds / size} ${name}`
}

/** The limits of the configuration that replace the default ones. Other checks report those that are invalid. */
function* changed(protection: unknown): Generator<string> {
  const limits = isRecord(protection) && isRecord(protection['limits']) ? protection['limits'] : {}
  for (const [name, rate] of Object.entries(limits))
    if (rate === 'off') yield `${name} off`
    else if (isRecord(rate) && typeof rate['per'] === 'number')
      yield `${name} ${String(rate['burst'])} in ${duration(rate['per'])}`
}

/** Nothing without a provider whose secrets can be guessed. */
export function* checkLimits(
  { config, providers }: DoctorContext,
  adapter?: Adapter,
): Generator<Finding> {
  const { protection, store } = config
  const { ok, warning } = topic('limits')
  if (!providers.some(({ type }) => /^(?:credentials|email|webauthn)$/.test(type))) return
  if (protection === 'off')
    return yield ok`off (protection: 'off'): wrong passwords and e-mails are not limited.`
  const rates = [...changed(protection)].join(', ')
  if (rates) yield ok`changed: ${rates}.`
  const isShared = Boolean(protection?.store) || storesRecords({ adapter, store })
  const what = `attempts are counted ${counts(config)}, ${isShared ? 'in the store of records' : 'in the memory of each process'}.`
  if (lacksClientAddress(config, providers) && runsInProduction())
    yield warning`${what} → Set ${ADDRESS}`
  else if (lacksClientAddress(config, providers)) yield ok`${what} → For production, set ${ADDRESS}`
  else if (isShared) yield ok`${what}`
  else yield ok`${what} → For several processes, set store, for example to RedisAdapter(client).`
}

/** The page is not loaded, so that this is a note. */
export function* checkCodePage({ config, providers }: DoctorContext): Generator<Finding> {
  const page = config.pages?.verifyRequest
  for (const provider of providers)
    if (page && provider.type === 'email' && (provider.method ?? 'link') !== 'link')
      yield topic(`provider ${provider.id}`)
        .ok`method is '${provider.method}', and pages.verifyRequest is ${page}: that page has to contain a field for the code. → An example: node_modules/lib-auth/docs/guides/email-code.md#write-your-own-page-for-the-code`
}
