export default defineEventHandler(async (event) => {
  const [read] = await Promise.all([auth(event), event.context.auth()])
  return json(event, read)
})
