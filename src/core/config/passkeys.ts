/** The support for passkeys that the modules of their providers set. */
import { lazily } from '../async/cache.ts'
import type { DatabaseSource } from '../database/database.ts'
import { pageUrl } from '../http/path.ts'
import type { Flow, PasskeySupport } from './passkey-support.ts'
import type { WebAuthnConfig } from './webauthn.ts'
import { webAuthnProblems } from './webauthn-problems.ts'

const load = lazily(() => import('../flows/webauthn/ceremonies.ts'))
const loadMatch = lazily(() => import('../identity/passkey-user.ts'))
const loadPage = lazily(async () => {
  const forms = await import('../pages/passkey-form.ts')
  const { passkeyScript: script } = await import('../pages/passkey-script.ts')
  return { script, forms }
})

function bind(config: WebAuthnConfig, database: DatabaseSource): Flow {
  const { id, formFields: fields = {}, enableConditionalUI = false } = config
  const provider = lazily(async () => ({ id, config, database: await database() }))
  return {
    guards: { POST: 'csrf' },
    offer: { kind: 'passkey', fields, autofill: enableConditionalUI },
    // The ceremony runs on the sign-in page, so there is no separate first step.
    begin: async (ctx) => ({ status: 302, redirect: pageUrl('signIn', ctx).href }),
    showOptions: async (ctx) => (await load()).showOptions(ctx, await provider()),
    passkeyPage: loadPage,
    async complete(ctx) {
      const proof = await (await load()).complete(ctx, await provider())
      if ('status' in proof) return proof
      const { matchPasskey } = await loadMatch()
      return { ...proof, match: (access) => matchPasskey(access, proof) }
    },
  }
}

export const passkeys: PasskeySupport = { problems: webAuthnProblems, bind }
