/** What is passed to the Redis adapter in place of a client. */
import { createCluster } from 'redis'
import { expect, test } from 'vitest'
import RedisAdapter from '../../src/adapters/redis.ts'

const cluster = createCluster({ rootNodes: [{ url: 'redis://localhost' }] })

test.each<[string, unknown]>([
  ['no client', undefined],
  ['a client without commands, such as one that only has get and eval', { eval: () => null }],
  ['a cluster of redis, whose sendCommand has other parameters', cluster],
])('rejects %s', (_name, client) => {
  expect(() => Reflect.apply(RedisAdapter, undefined, [client])).toThrow(
    /^RedisAdapter: the first argument is not a client of ioredis/,
  )
})

test('accepts an object that sends commands to a cluster of redis', () => {
  const prefix = '{lib-auth}:'
  const client = { sendCommand: (args: string[]) => cluster.sendCommand(prefix, false, args) }
  expect(RedisAdapter(client, { prefix })).toHaveProperty('take')
})
