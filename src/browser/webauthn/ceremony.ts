/** The WebAuthn ceremonies of a browser, by `@simplewebauthn/browser`. */
import {
  browserSupportsWebAuthn,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
} from '@simplewebauthn/browser'
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import { CeremonyError } from './ceremony-error.ts'
import type { CeremonyErrorCode } from '../../core/errors/ceremony-code.ts'

/** The response of the route `webauthn-options`. */
export type Ceremony =
  | { readonly action: 'authenticate'; readonly options: PublicKeyCredentialRequestOptionsJSON }
  | { readonly action: 'register'; readonly options: PublicKeyCredentialCreationOptionsJSON }

export type CeremonyAction = Ceremony['action']

/** The fields `action` and `data` of the callback route. */
export interface Proof {
  readonly action: CeremonyAction
  /** The credential as JSON (WebAuthn Level 3 §5.1.1). */
  readonly data: string
}

/** Options of {@link runCeremony}. */
interface RunOptions {
  /** Offers passkeys in the autofill of a field, without a dialog (conditional mediation). */
  readonly isAutofill?: boolean
  /** Milliseconds after which the ceremony ends with `expired`. */
  readonly lifetime?: number
}

/** A ceremony, from the request for its options on. */
interface Run {
  readonly isAutofill: boolean
  ended?: 'replaced' | 'expired'
}

/** A page and its browser run one ceremony at a time: the one that began last, and what the browser has not ended. */
const page: { current?: Run; pending?: Promise<unknown> } = {}

const CODES: Readonly<Record<string, CeremonyErrorCode>> = {
  NotAllowedError: 'cancelled',
  AbortError: 'replaced',
  SecurityError: 'wrong_domain',
  InvalidStateError: 'already_registered',
  NotSupportedError: 'no_authenticator',
  ConstraintError: 'no_authenticator',
}

/** By the name of the exception (WebAuthn Level 3 §5.1.3 and §5.1.4), which the package keeps. */
function readErrorCode(error: unknown, isTimedOut: boolean): CeremonyErrorCode {
  const code = CODES[error instanceof Error ? error.name : ''] ?? 'failed'
  // Browsers do not distinguish a timeout, so that sites cannot detect whether the user has a passkey.
  return code === 'cancelled' && isTimedOut ? 'timeout' : code
}

/** Why no ceremony is possible in this browser; `null` if one is. */
export function missingSupport(): CeremonyErrorCode | null {
  if (!globalThis.isSecureContext) return 'insecure_origin'
  return browserSupportsWebAuthn() ? null : 'unsupported'
}

function end(run: Run, code: NonNullable<Run['ended']>): void {
  // A ceremony that was replaced may still be pending: its lifetime must not end its successor.
  if (run !== page.current) return
  run.ended = code
  WebAuthnAbortService.cancelCeremony()
}

/** A new ceremony replaces the current one; autofill only replaces autofill. */
function begin({ isAutofill = false }: RunOptions): Run {
  const { current } = page
  if (current && isAutofill && !current.isAutofill) throw new CeremonyError('replaced')
  if (current) end(current, 'replaced')
  const run: Run = { isAutofill }
  page.current = run
  return run
}

/** Waits for the end of what the browser runs: some browsers reject a ceremony before. */
async function untilIdle(): Promise<void> {
  const { pending } = page
  if (!pending) return
  // At most a second: a password manager can ignore that the ceremony was aborted.
  for (let attempt = 0; page.pending === pending && attempt < 20; attempt++) {
    // Again, because the package may have started the autofill only now.
    WebAuthnAbortService.cancelCeremony()
    const pause = new Promise((resolve) => {
      setTimeout(resolve, 50)
    })
    await Promise.race([Promise.allSettled([pending]), pause])
  }
}

type Start<Options> = (options: Options, useBrowserAutofill: boolean) => Promise<unknown>
const register: Start<Parameters<typeof startRegistration>[0]> = startRegistration
const authenticate: Start<Parameters<typeof startAuthentication>[0]> = startAuthentication

/** Before version 11 of the package, its parameters were positional. Browsers ignore the members that they do not know. */
function start({ action, options }: Ceremony, useBrowserAutofill: boolean): Promise<unknown> {
  if (action === 'register') return register({ ...options, optionsJSON: options }, false)
  const given = { optionsJSON: options, useBrowserAutofill, verifyBrowserAutofillInput: false }
  return authenticate({ ...options, ...given }, useBrowserAutofill)
}

async function callBrowser(ceremony: Ceremony, isAutofill: boolean): Promise<unknown> {
  const begun = Date.now()
  const credential = start(ceremony, isAutofill)
  page.pending = credential
  try {
    return await credential
  } catch (cause) {
    const { timeout = Infinity } = ceremony.options
    throw new CeremonyError(readErrorCode(cause, Date.now() - begun >= timeout), { cause })
  } finally {
    if (page.pending === credential) delete page.pending
  }
}

/**
 * Runs a ceremony with the options that `loadOptions` requests.
 *
 * @throws CeremonyError, and what `loadOptions` throws
 */
export async function runCeremony(
  loadOptions: () => Promise<Ceremony>,
  options: RunOptions = {},
): Promise<Proof> {
  const run = begin(options)
  const { lifetime } = options
  const timer = lifetime && setTimeout(() => end(run, 'expired'), lifetime)
  try {
    const ceremony = await loadOptions()
    await untilIdle()
    if (run.ended) throw new CeremonyError(run.ended)
    const credential = await callBrowser(ceremony, run.isAutofill)
    return { action: ceremony.action, data: JSON.stringify(credential) }
  } catch (cause) {
    throw run.ended ? new CeremonyError(run.ended, { cause }) : cause
  } finally {
    clearTimeout(timer)
    if (run === page.current) delete page.current
  }
}
