/** Logout tokens as a provider sends them (OpenID Connect Back-Channel Logout 1.0 §2.4). */
import type { Issuer } from '../../../src/testing/index.ts'

export const EVENT = 'http://schemas.openid.net/event/backchannel-logout'

type Values = Record<string, unknown>

/** Claims that are undefined are left out. */
export function claimsFor(op: Issuer, claims: Values = {}): Values {
  const iat = Math.floor(Date.now() / 1000)
  return {
    iss: op.url,
    aud: op.clientId,
    iat,
    exp: iat + 120,
    jti: crypto.randomUUID(),
    events: { [EVENT]: {} },
    sid: 'op session of Ada',
    ...claims,
  }
}

export function logoutToken(op: Issuer, claims: Values = {}, header: Values = {}): Promise<string> {
  return op.sign(claimsFor(op, claims), { typ: 'logout+jwt', ...header })
}
