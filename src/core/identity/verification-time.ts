/**
 * Now, as `emailVerified` of a user whose address is verified. At a whole second it is a millisecond later, because
 * {@link isVerifiedSince} takes a whole second for a time that the database rounded.
 */
export function verificationTime(): Date {
  const now = Date.now()
  return new Date(now % 1000 === 0 ? now + 1 : now)
}

/**
 * Whether the address was verified after `since`, in milliseconds since the epoch: credentials checked earlier may be
 * those of an evicted user. If the database stores whole seconds, also those checked in the same second.
 */
export function isVerifiedSince(verified: Date | null, since: number): boolean {
  const time = verified?.getTime() ?? 0
  return time % 1000 === 0 ? time >= since - (since % 1000) : time > since
}
