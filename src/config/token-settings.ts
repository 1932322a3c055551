/** What decides how session tokens are written and read. */
import { SESSION_MAX_AGE } from '../defaults.ts'
import type { CodecSettings } from '../session/codec.ts'
import type { AuthConfig } from './types.ts'

/** A secret, or several. */
export function asList(secret: string | readonly string[] | undefined): readonly string[] {
  return typeof secret === 'string' ? [secret] : [...(secret ?? [])]
}

/** The options that decide about session tokens. */
export type TokenConfig = Pick<AuthConfig, 'secret' | 'jwt' | 'session'>

/** The same settings for `auth()` and `getToken()`. */
export function tokenSettings({ session = {}, jwt = {}, secret }: TokenConfig): CodecSettings {
  const maxAge = session.maxAge ?? SESSION_MAX_AGE
  return {
    secrets: asList(jwt.secret ?? secret),
    // A token that outlives its session, or the other way round, is useless.
    maxAge: Math.min(maxAge, jwt.maxAge ?? maxAge),
    absoluteMaxAge: session.absoluteMaxAge ?? Infinity,
    encode: jwt.encode,
    decode: jwt.decode,
  }
}
