export default defineEventHandler((event) => call(event, () => signOut(event)))
