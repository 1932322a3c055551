import type { APIRoute } from 'astro'
import type { AuthError } from 'lib-auth/errors'
import { lib } from '../auth'

export const GET: APIRoute = async (context) =>
  Response.json(
    context.url.searchParams.has('pending')
      ? await lib.account.pendingEmail(context)
      : await lib.account.list(context),
  )

export const POST: APIRoute = async (context) => {
  const { searchParams: query } = context.url
  const unlink = query.get('unlink')
  const password = query.get('password')
  try {
    if (password !== null) {
      const { call: called, ...fields } = JSON.parse(password)
      return Response.json((await lib.password[called as 'signUp'](context, fields)) ?? null)
    }
    const email = query.get('email')
    if (email === '') return Response.json(await lib.account.cancelEmail(context))
    if (email !== null) return Response.json(await lib.account.changeEmail(context, email))
    if (unlink !== null) {
      const key = { provider: 'other', providerAccountId: unlink }
      return Response.json(await lib.account.unlink(context, key))
    }
    if (query.has('merge')) return await lib.account.merge(context, { redirectTo: '/page' })
    if (!query.has('remove')) return await lib.account.link(context, 'op', { redirectTo: '/page' })
    await lib.account.remove(context)
    return Response.json(null)
  } catch (error) {
    // The tests pass providers of another copy of the library, which throws its own classes.
    if (!(error instanceof Error && 'type' in error)) throw error
    const { status, headers, type } = error as AuthError
    return Response.json({ error: type }, { status, headers })
  }
}
