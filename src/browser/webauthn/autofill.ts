import { runCeremony } from './ceremony.ts'
import type { Ceremony, Proof } from './ceremony.ts'
import { CeremonyError } from './ceremony-error.ts'

/** Milliseconds: less than the 300 seconds that a challenge is valid. */
const LIFETIME = 240_000

async function untilVisible(): Promise<void> {
  while (document.hidden)
    await new Promise((resolve) => {
      document.addEventListener('visibilitychange', resolve, { once: true })
    })
}

/**
 * Offers passkeys in the autofill of the fields with `autocomplete="webauthn"`, until the user chooses one. Requests a
 * new challenge before the previous one expires.
 *
 * @throws CeremonyError
 */
export async function runAutofill(loadOptions: () => Promise<Ceremony>): Promise<Proof> {
  for (;;) {
    await untilVisible()
    try {
      return await runCeremony(loadOptions, { isAutofill: true, lifetime: LIFETIME })
    } catch (error) {
      if (!(error instanceof CeremonyError && error.code === 'expired')) throw error
    }
  }
}
