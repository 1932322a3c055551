function twoDigits(value: number): string {
  return value < 10 ? `0${value}` : String(value)
}

/** Like `toISOString`, which costs 6 % of a session read with an adapter in memory. @throws RangeError if invalid */
export function timestamp(date: Date): string {
  const year = date.getUTCFullYear()
  // Years that do not have four digits, and invalid dates.
  if (!(year >= 1000 && year <= 9999)) return date.toISOString()
  const milliseconds = String(1000 + date.getUTCMilliseconds()).slice(1)
  return `${year}-${twoDigits(date.getUTCMonth() + 1)}-${twoDigits(date.getUTCDate())}T${twoDigits(date.getUTCHours())}:${twoDigits(date.getUTCMinutes())}:${twoDigits(date.getUTCSeconds())}.${milliseconds}Z`
}
