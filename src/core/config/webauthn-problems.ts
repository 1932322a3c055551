/** Validates providers of type `webauthn`. */
import {
  DuplicateConditionalUI,
  ExperimentalFeatureNotEnabled,
  InvalidConfiguration,
  MissingWebAuthnAutocomplete,
} from '../errors/classes.ts'
import { isOrigin } from '../http/origin.ts'
import { isRecord } from '../is-record.ts'
import { mismatch } from './describe-value.ts'
import type { PasskeySupport } from './passkey-support.ts'
import type { ProviderConfig } from './provider.ts'
import { asList } from './token-settings.ts'
import type { WebAuthnConfig } from './webauthn.ts'

/** A host name: letters, digits, hyphens and dots (RFC 1123 §2.1). */
const HOST = /^[a-z0-9-]+(?:\.[a-z0-9-]+)*$/

const FUNCTIONS = [
  'generateAuthenticationOptions',
  'generateRegistrationOptions',
  'verifyAuthenticationResponse',
  'verifyRegistrationResponse',
]

function* relyingPartyProblems({ relayingParty = {} }: WebAuthnConfig): Iterable<string> {
  for (const id of asList(relayingParty.id))
    if (!HOST.test(id))
      yield `${mismatch('relayingParty.id', 'a host name', id)} Write it like example.com, without scheme and port.`
  for (const origin of asList(relayingParty.origin))
    if (!isOrigin(origin) && !origin.startsWith('android:apk-key-hash:'))
      yield `${mismatch('relayingParty.origin', 'an origin', origin)} Write it like https://example.com.`
}

/** Whether conditional UI finds a field: the browser shows passkeys in the list of fields with `webauthn`. */
function hasAutofill({ formFields = {} }: WebAuthnConfig): boolean {
  return Object.values(formFields).some((field) =>
    Object.entries(field).some(
      ([name, value]) => /^autocomplete$/i.test(name) && /\bwebauthn\b/.test(String(value)),
    ),
  )
}

function* packageProblems({ simpleWebAuthn }: WebAuthnConfig): Iterable<string> {
  if (typeof simpleWebAuthn === 'function') return
  const missing = FUNCTIONS.filter(
    (name) => !isRecord(simpleWebAuthn) || typeof simpleWebAuthn[name] !== 'function',
  )
  if (missing.length > 0)
    yield `simpleWebAuthn lacks ${missing.join(', ')}. Pass the functions of @simplewebauthn/server, or leave it out.`
}

const VERSION = /^v\d+(?:\.\d+){0,2}$/

/** A browser can have one pending request for the autofill list. Reported once, for the last provider. */
function duplicateConditionalUI(
  provider: WebAuthnConfig,
  providers: readonly ProviderConfig[],
): DuplicateConditionalUI | null {
  const all = providers.filter((each) => each.type === 'webauthn' && each.enableConditionalUI)
  if (all.length < 2 || all.at(-1) !== provider) return null
  const ids = all.map(({ id }) => id).join(', ')
  return new DuplicateConditionalUI(
    `The providers ${ids} have enableConditionalUI. Set it to false on all but one.`,
  )
}

export const webAuthnProblems: PasskeySupport['problems'] = function* (
  provider,
  place,
  { config: { experimental }, providers },
) {
  const { enableConditionalUI, simpleWebAuthnBrowserVersion: version } = provider
  if (!experimental?.enableWebAuthn)
    yield new ExperimentalFeatureNotEnabled(
      `${place}: passkeys are experimental. Set experimental: { enableWebAuthn: true }.`,
    )
  for (const problem of [...relyingPartyProblems(provider), ...packageProblems(provider)])
    yield new InvalidConfiguration(`${place}: ${problem}`)
  if (version && !VERSION.test(version))
    yield new InvalidConfiguration(
      `${mismatch(`${place}: simpleWebAuthnBrowserVersion`, 'a version such as "v9.0.1"', version)} Remove it: it has no effect.`,
    )
  if (enableConditionalUI && !hasAutofill(provider))
    yield new MissingWebAuthnAutocomplete(
      `${place}: enableConditionalUI needs a field whose autocomplete contains "webauthn". Add it to formFields, or set enableConditionalUI to false.`,
    )
  const duplicate = duplicateConditionalUI(provider, providers)
  if (duplicate) yield duplicate
}
