export default defineEventHandler((event) =>
  call(event, () => requestScopes(event, 'op', ['calendar'], { redirectTo: '/page' })),
)
