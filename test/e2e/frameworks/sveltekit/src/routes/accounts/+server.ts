import { json, text } from '@sveltejs/kit'
import type { RequestHandler } from '@sveltejs/kit'
import type { AuthError } from 'lib-auth/errors'
import { lib } from '../../auth.server.ts'

export const GET: RequestHandler = async (event) =>
  json(
    event.url.searchParams.has('pending')
      ? await lib.account.pendingEmail(event)
      : await lib.account.list(event),
  )

export const POST: RequestHandler = async (event) => {
  const { searchParams: query } = event.url
  const unlink = query.get('unlink')
  const password = query.get('password')
  try {
    if (password !== null) {
      const { call: called, ...fields } = JSON.parse(password)
      return json((await lib.password[called as 'signUp'](event, fields)) ?? null)
    }
    const email = query.get('email')
    if (email === '') return json(await lib.account.cancelEmail(event))
    if (email !== null) return json(await lib.account.changeEmail(event, email))
    if (unlink !== null) {
      const key = { provider: 'other', providerAccountId: unlink }
      return json(await lib.account.unlink(event, key))
    }
    if (query.has('merge')) return text(await lib.account.merge(event, { redirectTo: '/page' }))
    if (query.has('remove')) {
      await lib.account.remove(event)
      return json(null)
    }
    return text(await lib.account.link(event, 'op', { redirectTo: '/page' }))
  } catch (error) {
    // The tests pass providers of another copy of the library, which throws its own classes.
    if (!(error instanceof Error && 'type' in error)) throw error
    const { status, headers, type } = error as AuthError
    return json({ error: type }, { status, headers })
  }
}
