export default defineEventHandler(async (event) => {
  await protect(event, site.rules ?? {})
  return { data: 1 }
})
