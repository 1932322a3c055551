// What forged logout tokens cost the server: a hundred are verified in ten seconds, and the others are rejected unread.
import { Auth } from 'lib-auth'
import MemoryAdapter from 'lib-auth/adapters/memory'
import { issuer } from 'lib-auth/testing'
import { compare } from '../measure.mjs'
import { assert, common } from '../setup.mjs'

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
const FLOOD = 1000

async function flood() {
  const [op, stranger] = await Promise.all([
    issuer({ algorithm: 'ES256' }),
    issuer({ algorithm: 'ES256' }),
  ])
  const { url, clientId, fetch } = op
  const provider = { id: 'op', type: 'oidc', issuer: url, clientId, clientSecret: op.clientSecret }
  const config = {
    ...common,
    providers: [provider],
    fetch,
    store: MemoryAdapter(),
    session: { strategy: 'jwt', revocation: {} },
    logout: { backChannel: ['op'] },
  }
  const forge = () => {
    const iat = Math.floor(Date.now() / 1000)
    const claims = {
      iss: url,
      aud: clientId,
      iat,
      exp: iat + 120,
      sub: 'ada',
      events: { [EVENT]: {} },
    }
    const header = { typ: 'logout+jwt', kid: crypto.randomUUID() }
    return stranger.sign({ ...claims, jti: crypto.randomUUID() }, header)
  }
  const tokens = await Promise.all(Array.from({ length: FLOOD }, forge))
  let next = 0
  const request = () =>
    new Request('https://app.test/auth/backchannel-logout/op', {
      method: 'POST',
      body: new URLSearchParams({ logout_token: tokens[next++ % FLOOD] }),
    })
  const send = (incoming) => Auth(incoming, config)
  const check = async () => {
    const statuses = new Set()
    for (let sent = 0; sent < FLOOD; sent++) statuses.add((await send(request())).status)
    const isLimited = statuses.size === 2 && statuses.has(400) && statuses.has(429)
    assert(isLimited, `statuses ${[...statuses].join(' ')}`)
  }
  const options = { clock: 'processor', batch: FLOOD, rounds: 5, warmUp: 1 }
  return compare({ 'lib-auth': { check, prepare: request, run: send } }, options)
}

export const cases = [{ name: 'forged logout token, of 1,000', aim: { most: 200 }, run: flood }]
