export function formatDate(date: Date | null) {
  return date?.toLocaleDateString('en-GB', { dateStyle: 'medium', timeZone: 'UTC' }) ?? 'never'
}
