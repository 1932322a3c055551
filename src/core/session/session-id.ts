import { sha256 } from '../crypto/digest.ts'

/** 128 bits that identify a session, from what only this session has. */
export async function sessionId(text: string): Promise<string> {
  return (await sha256(`lib.sid ${text}`, 'base64url')).slice(0, 22)
}
