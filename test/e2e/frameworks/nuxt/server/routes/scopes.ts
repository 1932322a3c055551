export default defineEventHandler((event) => {
  const redirect = !('stay' in getQuery(event))
  return call(event, () =>
    requestScopes(event, 'op', ['calendar'], { redirectTo: '/page', redirect }),
  )
})
