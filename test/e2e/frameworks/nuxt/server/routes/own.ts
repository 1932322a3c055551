export default defineEventHandler(async (event) => {
  setCookie(event, 'before', 'a b')
  await auth(event)
  appendResponseHeader(event, 'set-cookie', 'after=1')
  setResponseHeader(event, 'cache-control', 'public, max-age=60')
  return 'own'
})
