/** Environment variables by name. */
export type Environment = Readonly<Record<string, unknown>>

/** In order of precedence; the last name is deprecated. */
export const URL_NAMES: readonly string[] = ['AUTH_URL', 'LIB_URL', 'NEXTAUTH_URL']
export const SECRET_NAMES: readonly string[] = ['AUTH_SECRET', 'LIB_SECRET', 'NEXTAUTH_SECRET']
export const FURTHER_SECRETS: readonly string[] = [
  'AUTH_SECRET_3',
  'AUTH_SECRET_2',
  'AUTH_SECRET_1',
]
/** Switches to trust the Host header; all but the first are set by their platforms. */
export const TRUST_NAMES: readonly string[] = ['AUTH_TRUST_HOST', 'VERCEL', 'CF_PAGES']

/** A variable of the process; not every runtime has one. */
function processVariable(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Environment } }
  const value = process?.env?.[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

export function nodeEnv(): string | undefined {
  return processVariable('NODE_ENV')
}

/** The first variable of the process that contains a secret. */
export function secretOfProcess(): string | undefined {
  return SECRET_NAMES.find((name) => processVariable(name) !== undefined)
}

/** Only a variable of the server decides, never a request. */
export function runsInDevelopment(): boolean {
  return nodeEnv() === 'development'
}

export function runsInProduction(): boolean {
  return nodeEnv() === 'production'
}

/** Whether this is a process of `next build`, which starts several. */
export function runsInBuild(): boolean {
  return processVariable('NEXT_PHASE') === 'phase-production-build'
}

export function text(env: Environment, name: string): string | undefined {
  const value = env[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

export function list(env: Environment, name: string): readonly string[] | undefined {
  const values = text(env, name)
    ?.split(',')
    .map((value) => value.trim())
  return values?.filter(Boolean)
}

/** Returns `undefined` if the variable is not set or not a boolean. */
function flag(env: Environment, name: string): boolean | undefined {
  const value = text(env, name)?.toLowerCase() ?? ''
  if (['true', '1', 'yes', 'on'].includes(value)) return true
  return ['false', '0', 'no', 'off'].includes(value) ? false : undefined
}

export function findName(env: Environment, names: readonly string[]): string | undefined {
  return names.find((name) => text(env, name) !== undefined)
}

export function urlFrom(env: Environment): string | undefined {
  return text(env, findName(env, URL_NAMES) ?? '')
}

/** The variables that contain secrets; the first one encrypts. */
export function secretNames(env: Environment): readonly string[] {
  const further = FURTHER_SECRETS.filter((name) => text(env, name) !== undefined)
  return [...further, findName(env, SECRET_NAMES) ?? []].flat()
}

export function trustName(env: Environment): string | undefined {
  return TRUST_NAMES.find((name) => flag(env, name) !== undefined)
}

/** Whether the environment trusts the Host header; `undefined` if it does not decide. */
export function trustFromEnv(env: Environment): boolean | undefined {
  const name = trustName(env)
  if (name !== undefined) return flag(env, name)
  return ['development', 'test'].includes(text(env, 'NODE_ENV') ?? '') || undefined
}

/** Headers with the client address that platforms overwrite, by the variables that they set. */
const ADDRESS_HEADERS = { VERCEL: 'x-forwarded-for', CF_PAGES: 'cf-connecting-ip' }

/** The header with the client address on the platform that the environment names. */
export function clientAddressHeader(env: Environment): string | undefined {
  return Object.entries(ADDRESS_HEADERS).find(([name]) => flag(env, name))?.[1]
}

const SUFFIXES = { clientId: 'ID', clientSecret: 'SECRET', issuer: 'ISSUER', apiKey: 'KEY' }

/** The variables for a setting: with the id in upper snake case, which messages mention, and in upper case only. */
export function providerNames(
  id: string,
  setting: keyof typeof SUFFIXES,
): readonly [best: string, ...others: string[]] {
  const nameFor = (words: string) =>
    `AUTH_${words.toUpperCase().replaceAll('-', '_')}_${SUFFIXES[setting]}`
  const snakeCase = id.replace(/([a-z0-9])([A-Z])/g, '$1_$2').replace(/[^\w-]+/g, '_')
  const [best, plain] = [nameFor(snakeCase), nameFor(id)]
  return best === plain ? [best] : [best, plain]
}

export function missingClientId(id: string): string {
  return `Provider ${id} has no clientId. Set it, or ${providerNames(id, 'clientId')[0]} in the environment.`
}

export function providerSettings(env: Environment, id: string): Record<string, string> {
  const settings = ['clientId', 'clientSecret', 'issuer', 'apiKey'] as const
  const found = settings.flatMap((setting) => {
    const value = text(env, findName(env, providerNames(id, setting)) ?? '')
    return value === undefined ? [] : [[setting, value] as const]
  })
  return Object.fromEntries(found)
}
