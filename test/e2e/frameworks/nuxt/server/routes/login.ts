export default defineEventHandler((event) =>
  call(event, async () => {
    const fields = event.method === 'POST' ? await readBody(event) : {}
    return signIn(event, 'credentials', { ...fields, redirectTo: '/page' })
  }),
)
