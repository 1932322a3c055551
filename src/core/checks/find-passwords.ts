import type { PasswordFlow, ResolvedConfig } from '../contracts.ts'

/** What the provider `Password` does besides the sign-in, if it is configured. */
export function findPasswords({
  config: { providers },
}: {
  readonly config: Pick<ResolvedConfig, 'providers'>
}): PasswordFlow | undefined {
  for (const id of providers.ids) {
    const passwords = providers.get(id)?.passwords
    if (passwords) return passwords
  }
  return undefined
}
