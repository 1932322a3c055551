export default defineEventHandler((event) =>
  call(event, () => signOut(event, { federated: 'federated' in getQuery(event) })),
)
