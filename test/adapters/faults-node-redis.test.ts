import { createClient } from 'redis'
import { testOnRedis } from './outage/redis.ts'

await testOnRedis(async (url) => {
  const client = createClient({ url })
  const lost: Error[] = []
  // As docs/databases/redis.md recommends.
  client.on('error', (error: Error) => lost.push(error))
  await client.connect()
  return {
    client,
    send: (...command) => client.sendCommand(command),
    lost,
    close: () => client.destroy(),
  }
})
