/**
 * What an error says. One that stands for several says nothing itself: a host with two addresses, as `localhost` has
 * in most places, is refused twice.
 */
export function messageOf(error: Error): string {
  return error.message || ('errors' in error ? String(error.errors) : '')
}
