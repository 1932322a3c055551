export default defineEventHandler(async (event) => {
  if (site.parsers && event.method === 'POST') await readBody(event)
})
