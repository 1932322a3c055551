import type { AuthError } from 'lib-auth/errors'
import type { Route } from './+types/accounts'
import { lib } from '../auth.server'

export const loader = async (args: Route.LoaderArgs) =>
  Response.json(
    new URL(args.request.url).searchParams.has('pending')
      ? await lib.account.pendingEmail(args)
      : await lib.account.list(args),
  )

export const action = async (args: Route.ActionArgs) => {
  const { searchParams: query } = new URL(args.request.url)
  const unlink = query.get('unlink')
  const password = query.get('password')
  try {
    if (password !== null) {
      const { call: called, ...fields } = JSON.parse(password)
      return Response.json((await lib.password[called as 'signUp'](args, fields)) ?? null)
    }
    const email = query.get('email')
    if (email === '') return Response.json(await lib.account.cancelEmail(args))
    if (email !== null) return Response.json(await lib.account.changeEmail(args, email))
    if (unlink !== null) {
      const key = { provider: 'other', providerAccountId: unlink }
      return Response.json(await lib.account.unlink(args, key))
    }
    if (query.has('merge')) return await lib.account.merge(args, { redirectTo: '/page' })
    if (!query.has('remove')) return await lib.account.link(args, 'op', { redirectTo: '/page' })
    await lib.account.remove(args)
    return Response.json(null)
  } catch (error) {
    // The tests pass providers of another copy of the library, which throws its own classes.
    if (!(error instanceof Error && 'type' in error)) throw error
    const { status, headers, type } = error as AuthError
    return Response.json({ error: type }, { status, headers })
  }
}
