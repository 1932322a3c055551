import { chain } from '../async/awaitable.ts'
import type { Awaitable } from '../types.ts'
import { sha256 } from './digest.ts'

/** In front of the hash of a token that the database stores in place of the token. */
export const HASH_PREFIX = 'sha256:'

function idOfHash(hash: string): Awaitable<string> {
  return chain(sha256(`lib.sid ${hash}`, 'base64url'), (id) => id.slice(0, 22))
}

/** 128 bits that identify a session, from its token or from what only this session has. */
export function sessionId(identity: string): Awaitable<string> {
  return chain(sha256(identity, 'hex'), idOfHash)
}

/** The same, from a token as it is stored: with or without `session.hashTokens`. */
export function storedSessionId(stored: string): Awaitable<string> {
  return stored.startsWith(HASH_PREFIX)
    ? idOfHash(stored.slice(HASH_PREFIX.length))
    : sessionId(stored)
}
