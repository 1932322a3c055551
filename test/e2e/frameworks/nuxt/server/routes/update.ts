export default defineEventHandler((event) =>
  call(event, async () => json(event, await update(event, { user: { name: 'x' } }))),
)
