import { expect, test } from 'vitest'
import MemoryAdapter from '../../../src/adapters/memory.ts'
import { browser } from '../../../src/testing/index.ts'
import { SECRET, silentLog } from '../../config.ts'
import { withPasskeys } from '../../passkeys.ts'

test('the application is asked about a passkey without a client address, too', async () => {
  const kinds: string[] = []
  const { logger } = silentLog()
  const config = withPasskeys({
    adapter: MemoryAdapter(),
    secret: SECRET,
    trustHost: true,
    logger,
    protection: {
      onAttempt({ kind }) {
        kinds.push(kind)
        return 'refuse'
      },
    },
  })
  const response = await browser(config).post('callback/passkey', { action: 'authenticate' })
  expect(response.headers.get('location')).toContain('error=TooManyAttempts')
  expect(kinds).toEqual(['passkey'])
})
