/** Problems of the option `trustsAssurance` of a provider. */
import { InvalidConfiguration } from '../errors/classes.ts'
import { isRecord } from '../is-record.ts'
import { mismatch } from './describe-value.ts'
import type { OAuthConfig } from './provider.ts'

export function* assuranceProblems(
  provider: OAuthConfig,
  place: string,
): Iterable<InvalidConfiguration> {
  const trusts: unknown = 'trustsAssurance' in provider ? provider.trustsAssurance : undefined
  const name = `${place}: trustsAssurance`
  if (trusts === undefined || trusts === false) return
  if (provider.type === 'oauth')
    yield new InvalidConfiguration(
      `${name} is set, but only an ID token, which a provider of type oidc issues, states how its user was authenticated. Remove it.`,
    )
  else if (trusts !== true && !isRecord(trusts))
    yield new InvalidConfiguration(
      `${mismatch(name, 'true or an object', trusts)} Write the level of each acr: { 'urn:example:mfa': 2 }.`,
    )
  else
    for (const [acr, level] of Object.entries(isRecord(trusts) ? trusts : {}))
      if (level !== 1 && level !== 2)
        yield new InvalidConfiguration(mismatch(`${name}[${JSON.stringify(acr)}]`, '1 or 2', level))
}
