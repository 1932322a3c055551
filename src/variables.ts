/** Environment variables by name. */
export type Environment = Readonly<Record<string, unknown>>

/** In order of precedence; the last name is deprecated. */
export const URL_NAMES: readonly string[] = ['AUTH_URL', 'LIB_URL', 'NEXTAUTH_URL']
const SECRET_NAMES: readonly string[] = ['AUTH_SECRET', 'LIB_SECRET', 'NEXTAUTH_SECRET']
/** Newest first. */
const FURTHER_SECRETS: readonly string[] = ['AUTH_SECRET_3', 'AUTH_SECRET_2', 'AUTH_SECRET_1']
/** Switches to trust the Host header; all but the first are set by their platforms. */
const TRUST_NAMES: readonly string[] = ['AUTH_TRUST_HOST', 'VERCEL', 'CF_PAGES']

export function nodeEnv(): string | undefined {
  const process: unknown = Reflect.get(globalThis, 'process')
  const env: unknown = typeof process === 'object' && process && Reflect.get(process, 'env')
  const mode: unknown = typeof env === 'object' && env && Reflect.get(env, 'NODE_ENV')
  return typeof mode === 'string' && mode !== '' ? mode : undefined
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
export function flag(env: Environment, name: string): boolean | undefined {
  const value = text(env, name)?.toLowerCase() ?? ''
  if (['true', '1', 'yes', 'on'].includes(value)) return true
  return ['false', '0', 'no', 'off'].includes(value) ? false : undefined
}

export function nameOf(env: Environment, names: readonly string[]): string | undefined {
  return names.find((name) => text(env, name) !== undefined)
}

/** The variables that contain secrets; the first one encrypts. */
export function secretNames(env: Environment): readonly string[] {
  const further = FURTHER_SECRETS.filter((name) => text(env, name) !== undefined)
  return [...further, nameOf(env, SECRET_NAMES) ?? []].flat()
}

export function trustName(env: Environment): string | undefined {
  return TRUST_NAMES.find((name) => flag(env, name) !== undefined)
}

/** Prefixes of the variables of a provider: its id in upper snake case, then in upper case only. */
function prefixes(id: string): readonly [string, string] {
  const upper = (words: string) => `AUTH_${words.toUpperCase().replaceAll('-', '_')}`
  return [upper(id.replace(/([a-z0-9])([A-Z])/g, '$1_$2').replace(/[^\w-]+/g, '_')), upper(id)]
}

const SUFFIXES = {
  clientId: 'ID',
  clientSecret: 'SECRET',
  issuer: 'ISSUER',
  apiKey: 'KEY',
} as const

export const PROVIDER_SETTINGS: readonly (keyof typeof SUFFIXES)[] = [
  'clientId',
  'clientSecret',
  'issuer',
  'apiKey',
]

/** The variables for a setting of a provider; messages and guides mention the first one. */
export function providerNames(
  id: string,
  setting: keyof typeof SUFFIXES,
): readonly [best: string, ...others: string[]] {
  const [best, plain] = prefixes(id)
  const suffix = SUFFIXES[setting]
  return best === plain ? [`${best}_${suffix}`] : [`${best}_${suffix}`, `${plain}_${suffix}`]
}
