import type { AuthError } from 'lib-auth/errors'
import { account, password } from '../../auth'

export async function GET(request: Request): Promise<Response> {
  const isPending = new URL(request.url).searchParams.has('pending')
  return Response.json(isPending ? await account.pendingEmail() : await account.list())
}

export async function POST(request: Request): Promise<Response> {
  const { searchParams: query } = new URL(request.url)
  const unlink = query.get('unlink')
  const call = query.get('password')
  try {
    if (call !== null) {
      const { call: called, ...fields } = JSON.parse(call)
      return Response.json((await password[called as 'signUp'](fields)) ?? null)
    }
    const email = query.get('email')
    if (email === '') return Response.json(await account.cancelEmail())
    if (email !== null) return Response.json(await account.changeEmail(email))
    if (unlink !== null) {
      const key = { provider: 'other', providerAccountId: unlink }
      return Response.json(await account.unlink(key))
    }
    if (query.has('merge')) return await account.merge({ redirectTo: '/page' })
    if (!query.has('remove')) return await account.link('op', { redirectTo: '/page' })
    await account.remove()
    return Response.json(null)
  } catch (error) {
    // The tests pass providers of another copy of the library, which throws its own classes.
    if (!(error instanceof Error && 'type' in error)) throw error
    const { status, headers, type } = error as AuthError
    return Response.json({ error: type }, { status, headers })
  }
}
