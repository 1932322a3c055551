/** Configurations, providers and accounts with types of `@auth/core`, which are accepted without a cast. */
import { expect, test } from 'vitest'
import { compileWithOurs } from './compile.ts'

const PROVIDERS_AND_ACCOUNTS = `
import type { Provider as TheirProvider } from '@auth/core/providers'
import TheirCredentials from '@auth/core/providers/credentials'
import type { Account as TheirAccount } from '@auth/core/types'
import type { Account, AuthConfig } from 'lib-auth'
import Credentials from 'lib-auth/providers/credentials'

declare const provider: TheirProvider
declare function save(account: TheirAccount): void
const theirs = TheirCredentials({
  credentials: { name: { label: 'Name' } },
  authorize: ({ name }) => ({ id: String(name) }),
})
export const config: AuthConfig = { providers: [theirs, provider] }
export const saveOurs = (account: Account): void => save(account)

Credentials({
  credentials: { name: { autoComplete: 'username', 'data-name': 'a' }, password: {} },
  authorize(given) {
    const { name, password } = given
    // @ts-expect-error It is not a field of the form.
    return name && password && given.other
  },
})
`

const CONFIGURATIONS = `
import type { AuthConfig as TheirConfig } from '@auth/core'
import type { AuthConfig } from 'lib-auth'

// Symbols of two packages differ, so these options are not accepted.
declare const theirs: Omit<TheirConfig, 'skipCSRFCheck' | 'raw'>
export const config: AuthConfig = theirs
export const callbacks: NonNullable<AuthConfig['callbacks']> = { ...theirs.callbacks }
export const events: NonNullable<AuthConfig['events']> = { ...theirs.events }
`

const MAILS = `
import type { EmailConfig as TheirEmail } from '@auth/core/providers/email'
import type { NodemailerConfig as TheirNodemailer } from '@auth/core/providers/nodemailer'
import type { AuthConfig } from 'lib-auth'
import Nodemailer from 'lib-auth/providers/nodemailer'
import Resend from 'lib-auth/providers/resend'

declare const send: NonNullable<TheirEmail['sendVerificationRequest']>
declare const sendBySmtp: TheirNodemailer['sendVerificationRequest']
declare const sendText: (params: { phone: string }) => Promise<void>
declare const sendWithParams: (
  params: Parameters<TheirEmail['sendVerificationRequest']>[0],
) => Promise<void>
export const config: AuthConfig = {
  providers: [
    Resend({ from: 'a@example.com', sendVerificationRequest: send }),
    Resend({ from: 'a@example.com', sendVerificationRequest: sendWithParams }),
    Nodemailer({ server: 'smtp://a', from: 'a@example.com', sendVerificationRequest: sendBySmtp }),
    { id: 'mail', name: 'Mail', type: 'email', sendVerificationRequest: send },
    // @ts-expect-error It needs a parameter that is not passed.
    Resend({ from: 'a@example.com', sendVerificationRequest: sendText }),
  ],
}
`

test('functions that send mails with the parameters of @auth/core are accepted', async () => {
  const { problems } = await compileWithOurs({
    name: 'peer-mails',
    files: [],
    code: { 'mails.ts': MAILS },
    options: { skipLibCheck: true },
  })
  expect(problems).toEqual([])
})

test.each([false, true])(
  'providers and accounts of @auth/core are accepted, with exactOptionalPropertyTypes: %s',
  async (exactOptionalPropertyTypes) => {
    const { problems } = await compileWithOurs({
      name: 'peer-objects',
      files: [],
      code: { 'providers.ts': PROVIDERS_AND_ACCOUNTS },
      options: { skipLibCheck: true, exactOptionalPropertyTypes },
    })
    expect(problems).toEqual([])
  },
)

test('a configuration of @auth/core is accepted, with its callbacks and events', async () => {
  const { problems } = await compileWithOurs({
    name: 'peer-configurations',
    files: [],
    code: { 'configurations.ts': CONFIGURATIONS },
    options: { skipLibCheck: true },
  })
  expect(problems).toEqual([])
})
