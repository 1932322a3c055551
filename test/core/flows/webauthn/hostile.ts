/** Changes of the responses of both ceremonies, which a site rejects. */
import type { Replaced } from './authenticator.ts'
import { UP, UV, BS } from './authenticator.ts'
import { EXPIRED } from './site.ts'

/** Changes of both ceremonies. */
export const HOSTILE: [name: string, replaced: Replaced, expected?: string][] = [
  ['with the challenge of no cookie', { client: { challenge: 'A'.repeat(43) } }, EXPIRED],
  ['with another origin', { client: { origin: 'https://evil.test' } }],
  ['with a subdomain as origin', { client: { origin: 'https://x.app.test' } }],
  ['with another port', { client: { origin: 'https://app.test:8443' } }],
  ['with an origin over http', { client: { origin: 'http://app.test' } }],
  ['of another RP ID', { rpId: 'evil.test' }],
  ['of a parent domain as RP ID', { rpId: 'test' }],
  ['of the payment ceremony', { client: { type: 'payment.get' } }],
  ['without user presence', { flags: UV }],
  ['without user verification', { flags: UP }],
  ['of a frame of another site', { client: { crossOrigin: true } }],
  [
    'of a frame whose top origin is stated',
    { client: { crossOrigin: true, topOrigin: 'https://evil.test' } },
  ],
  ['with a top origin only', { client: { topOrigin: 'https://evil.test' } }],
  ['that is backed up without being eligible', { flags: UP | UV | BS }],
  ['whose rawId is not its id', { credential: { rawId: 'AAAA' } }],
  ['of another credential type', { credential: { type: 'password' } }],
]
