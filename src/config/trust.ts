import type { TrustPolicy } from '../contracts.ts'
import type { AuthConfig } from './types.ts'

/** Whose word counts for the origin, as the application says. */
export function trustOf({ origin, trustHost, trustedHosts = [] }: AuthConfig): TrustPolicy {
  return {
    origin: origin?.replace(/\/$/, ''),
    trustHost: trustHost === true,
    trustedHosts: [...trustedHosts],
  }
}
