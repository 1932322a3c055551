// Reads an access token in a process of its own, many times at once: node token-site.mjs <database> <issuer> <where>
import { once } from 'node:events'
import { createTokenSite } from './token-config.mjs'

const [database = '', issuer = '', where = ''] = process.argv.slice(2)
const { read } = createTokenSite({ database, issuer, where })

process.send('ready')
for (;;) {
  const [{ cookie, calls }] = await once(process, 'message')
  const results = await Promise.allSettled(Array.from({ length: calls }, () => read(cookie)))
  process.send(
    results.map(({ value, reason }) => value?.accessToken ?? `${reason.type} ${reason.code ?? ''}`),
  )
}
