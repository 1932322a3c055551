import type { Context, Reply } from '../../contracts.ts'
import type { PasskeyProof } from '../../evidence.ts'
import { limitFailures } from '../../limits/consume.ts'
import { authenticate } from './authenticate.ts'
import type { PasskeyProvider } from './provider.ts'
import { register } from './register.ts'
import { parseResponse } from './response.ts'

export { showOptions } from './options.ts'

export async function complete(
  ctx: Context,
  provider: PasskeyProvider,
): Promise<PasskeyProof | Reply> {
  return limitFailures(ctx, 'passkey', async () => {
    const response = parseResponse(ctx)
    return (response.ceremony === 'register' ? register : authenticate)(ctx, provider, response)
  })
}
