export default defineEventHandler(async (event) => {
  const { user } = await protect(event)
  return { name: user?.name }
})
