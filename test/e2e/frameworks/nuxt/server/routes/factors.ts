import type { AuthError } from 'lib-auth/errors'

export default defineEventHandler(async (event) => {
  const { call, id, code } = getQuery<Record<string, string>>(event)
  const calls: Record<string, () => Promise<unknown>> = {
    list: () => factors.list(event),
    enroll: () => factors.enroll(event, { name: 'Phone' }),
    confirm: () => factors.confirm(event, { id: id ?? '', code: code ?? '' }),
    remove: () => factors.remove(event, id ?? ''),
    renew: () => factors.renewRecoveryCodes(event),
  }
  try {
    return json(event, await calls[call ?? 'list']?.())
  } catch (error) {
    // The tests pass providers of another copy of the library, which throws its own classes.
    if (!(error instanceof Error && 'type' in error)) throw error
    const { status, headers, type } = error as AuthError
    setResponseStatus(event, status)
    setResponseHeaders(event, headers)
    return { error: type }
  }
})
