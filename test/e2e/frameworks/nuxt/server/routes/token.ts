export default defineEventHandler(async (event) =>
  json(event, await getAccessToken(event, 'op').catch(({ type, code }) => ({ type, code }))),
)
