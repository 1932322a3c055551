import { sha256 } from './digest.ts'

/** 128 bits that identify a session, from its token or from what only this session has. */
export async function sessionId(identity: string): Promise<string> {
  // The same whether the database stores the token or its hash.
  const stored = await sha256(identity, 'hex')
  return (await sha256(`lib.sid ${stored}`, 'base64url')).slice(0, 22)
}
