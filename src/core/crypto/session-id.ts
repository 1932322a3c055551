import { sha256 } from './digest.ts'

/** In front of the hash of a token that the database stores in place of the token. */
export const HASH_PREFIX = 'sha256:'

async function idOfHash(hash: string): Promise<string> {
  return (await sha256(`lib.sid ${hash}`, 'base64url')).slice(0, 22)
}

/** 128 bits that identify a session, from its token or from what only this session has. */
export async function sessionId(identity: string): Promise<string> {
  return idOfHash(await sha256(identity, 'hex'))
}

/** The same, from a token as it is stored: with or without `session.hashTokens`. */
export async function storedSessionId(stored: string): Promise<string> {
  return stored.startsWith(HASH_PREFIX)
    ? idOfHash(stored.slice(HASH_PREFIX.length))
    : sessionId(stored)
}
