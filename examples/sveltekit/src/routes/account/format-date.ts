export const formatDate = (date: Date | null) =>
  date?.toISOString().slice(0, 10) ?? 'an unknown day'
