import { Redis } from 'ioredis'
import { testOnRedis } from './outage/redis.ts'

await testOnRedis((url) => {
  // Both as docs/databases/redis.md recommends.
  const client = new Redis(url, { maxRetriesPerRequest: 1 })
  const lost: Error[] = []
  client.on('error', (error) => lost.push(error))
  return {
    client,
    send: (command = '', ...args) => client.call(command, ...args),
    lost,
    close: () => client.disconnect(),
  }
})
