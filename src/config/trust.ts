import type { TrustPolicy } from '../contracts.ts'
import type { AuthConfig } from './types.ts'

export function trustOf({ origin, trustHost, trustedHosts = [] }: AuthConfig): TrustPolicy {
  return {
    origin: origin?.replace(/\/$/, ''),
    trustHost: trustHost === true,
    trustedHosts: [...trustedHosts],
  }
}
