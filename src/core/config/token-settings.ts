import { SESSION_MAX_AGE } from './defaults.ts'
import type { CodecSettings } from '../session/codec.ts'
import type { AuthConfig } from './types.ts'

/** The validation reports entries that are not strings. */
export function asList(secret: string | readonly string[] | undefined): readonly string[] {
  return [secret ?? []].flat()
}

export function areSecrets(list: readonly unknown[]): boolean {
  return list.length > 0 && list.every((each) => each && typeof each === 'string')
}

/** The secrets of an option with their names, such as `secret[1]`. */
export function namedSecrets(
  option: string,
  secret: string | readonly string[] | undefined,
): (readonly [name: string, secret: string])[] {
  const list = asList(secret)
  return list.map((each, index) => [list.length > 1 ? `${option}[${index}]` : option, each])
}

/** Shared by `auth()` and `getToken()`, so that they accept the same tokens. */
export function tokenSettings({
  session = {},
  jwt = {},
  secret,
}: Pick<AuthConfig, 'secret' | 'jwt' | 'session'>): CodecSettings {
  const maxAge = session.maxAge ?? SESSION_MAX_AGE
  return {
    secrets: asList(jwt.secret ?? secret),
    // A token and its session end at the same time.
    maxAge: Math.min(maxAge, jwt.maxAge ?? maxAge),
    absoluteMaxAge: session.absoluteMaxAge ?? Infinity,
    encode: jwt.encode,
    decode: jwt.decode,
  }
}
