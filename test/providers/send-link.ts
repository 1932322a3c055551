/** Sends a magic link with a provider, without a sign-in. */
import type { EmailConfig, VerificationRequest } from '../../src/core/config/email.ts'
import { merge } from '../../src/core/config/provider-list.ts'

export const TO = 'ada@example.com'
export const LINK =
  'https://app.test/auth/callback/nodemailer?callbackUrl=https%3A%2F%2Fapp.test%2F&token=' +
  `${'0123456789abcdef'.repeat(4)}&email=ada%40example.com`

/** Sends a magic link as a sign-in does: the options of the application are merged into the provider. */
export async function send(
  provider: EmailConfig,
  request: Partial<Omit<VerificationRequest, 'provider' | 'request'>> = {},
): Promise<void> {
  const config = merge(provider, provider.options ?? {}) as unknown as EmailConfig
  await config.sendVerificationRequest?.({
    identifier: TO,
    url: LINK,
    expires: new Date(Date.now() + 86_400_000),
    provider: config,
    token: 'token',
    theme: {},
    request: new Request('https://app.test/auth/signin/nodemailer', { method: 'POST' }),
    fetch: globalThis.fetch,
    ...request,
  })
}
