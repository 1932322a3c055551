export default defineEventHandler(async (event) => {
  const [session] = await Promise.all([auth(event), event.context.auth()])
  // h3 sends `null` as an empty response.
  return json(event, session)
})
