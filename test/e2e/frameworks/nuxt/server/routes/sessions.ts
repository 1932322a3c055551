export default defineEventHandler(async (event) => {
  if (event.method === 'GET') return json(event, await sessions.list(event))
  const { sid } = getQuery(event)
  return json(
    event,
    typeof sid === 'string'
      ? await sessions.revoke(event, sid)
      : await sessions.revokeOthers(event),
  )
})
