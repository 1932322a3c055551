import { createFileRoute } from '@tanstack/react-router'
import type { AuthError } from 'lib-auth/errors'
import { lib } from '../auth'

export const Route = createFileRoute('/accounts')({
  server: {
    handlers: {
      GET: async ({ request }) =>
        Response.json(
          new URL(request.url).searchParams.has('pending')
            ? await lib.account.pendingEmail()
            : await lib.account.list(),
        ),
      POST: async ({ request }) => {
        const { searchParams: query } = new URL(request.url)
        const unlink = query.get('unlink')
        const password = query.get('password')
        try {
          if (password !== null) {
            const { call: called, ...fields } = JSON.parse(password)
            return Response.json((await lib.password[called as 'signUp'](fields)) ?? null)
          }
          const email = query.get('email')
          if (email === '') return Response.json(await lib.account.cancelEmail())
          if (email !== null) return Response.json(await lib.account.changeEmail(email))
          if (unlink !== null) {
            const key = { provider: 'other', providerAccountId: unlink }
            return Response.json(await lib.account.unlink(key))
          }
          if (query.has('merge'))
            return Response.json(await lib.account.merge({ redirectTo: '/page' }))
          if (!query.has('remove'))
            return Response.json(await lib.account.link('op', { redirectTo: '/page' }))
          await lib.account.remove()
          return Response.json(null)
        } catch (error) {
          // The tests pass providers of another copy of the library, which throws its own classes.
          if (!(error instanceof Error && 'type' in error)) throw error
          const { status, headers, type } = error as AuthError
          return Response.json({ error: type }, { status, headers })
        }
      },
    },
  },
})
