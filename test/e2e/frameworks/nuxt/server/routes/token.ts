export default defineEventHandler(async (event) => {
  const read = () => getAccessToken(event, 'op').catch(({ type, code }) => ({ type, code }))
  return 'late' in getQuery(event) ? respondLate(read) : json(event, await read())
})
