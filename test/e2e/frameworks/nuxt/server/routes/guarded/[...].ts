export default defineEventHandler(async (event) => {
  const read = await protect(event)
  return `secret for ${read?.user?.name ?? 'guest'}`
})
