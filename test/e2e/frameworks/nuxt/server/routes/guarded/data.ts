export default defineEventHandler(async (event) => {
  await protect(event, site.allow ? { allow: site.allow } : {})
  return { data: 1 }
})
