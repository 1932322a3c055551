import type { AuthError } from 'lib-auth/errors'

export default defineEventHandler(async (event) => {
  const { unlink, remove, password: call, email, merge, pending } = getQuery(event)
  try {
    if (pending !== undefined) return json(event, await account.pendingEmail(event))
    if (event.method === 'GET') return json(event, await account.list(event))
    if (typeof call === 'string') {
      const { call: called, ...fields } = JSON.parse(call)
      return json(event, (await password[called as 'signUp'](event, fields)) ?? null)
    }
    if (email === '') return json(event, await account.cancelEmail(event))
    if (typeof email === 'string') return json(event, await account.changeEmail(event, email))
    if (typeof unlink === 'string') {
      const key = { provider: 'other', providerAccountId: unlink }
      return json(event, await account.unlink(event, key))
    }
    if (merge !== undefined) return await account.merge(event, { redirectTo: '/page' })
    if (remove === undefined) return await account.link(event, 'op', { redirectTo: '/page' })
    await account.remove(event)
    return json(event, null)
  } catch (error) {
    // The tests pass providers of another copy of the library, which throws its own classes.
    if (!(error instanceof Error && 'type' in error)) throw error
    const { status, headers, type } = error as AuthError
    setResponseStatus(event, status)
    setResponseHeaders(event, headers)
    return { error: type }
  }
})
