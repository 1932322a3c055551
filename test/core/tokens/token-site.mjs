// Reads an access token in a process of its own, many times at once: node token-site.mjs <database> <issuer> <where>
import { once } from 'node:events'
import { createTokenSite } from './token-config.mjs'

const [database = '', issuer = '', where = ''] = process.argv.slice(2)
/** The token, and whether the response sets or deletes cookies. */
function describeToken({ accessToken, cookies }) {
  const changes = cookies.map((each) => (/max-age=0/i.test(each) ? 'deleted' : 'set'))
  return [accessToken, ...new Set(changes)].join(' ')
}

const { read } = createTokenSite({ database, issuer, where })

process.send('ready')
for (;;) {
  const [{ cookie, calls }] = await once(process, 'message')
  const results = await Promise.allSettled(Array.from({ length: calls }, () => read(cookie)))
  process.send(
    results.map(({ value, reason }) =>
      value ? describeToken(value) : `${reason.type} ${reason.code ?? ''}`,
    ),
  )
}
