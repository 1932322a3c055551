/** Limits and e-mail codes on every runtime, over raw HTTP. */
import { CALLBACK, enter, PASSWORD } from './http-checks.ts'
import type { HttpCheck } from './http-checks.ts'

/** With the limits that apply by default, and no client address. */
export const limitChecks: readonly HttpCheck[] = [
  {
    title: 'limits guesses, and reports when to try again',
    expected: [429, 'TooManyAttempts', '90', 302, '?error=TooManyAttempts&retryAfter=90'],
    async facts(user, origin) {
      for (let guess = 0; guess < 10; guess++) await enter(user, 'guessed', 'wrong')
      const json = { csrfToken: await user.csrfToken(), username: 'guessed', password: PASSWORD }
      const headers = { accept: 'application/json' }
      const program = await user.send(CALLBACK, { json, headers })
      const form = await enter(user, 'guessed')
      const { error } = JSON.parse(program.body)
      const { search } = new URL(form.headers.location ?? '', origin)
      return [program.status, error, program.headers['retry-after'], form.status, search]
    },
  },
  {
    title: 'remembers the browser after a sign-in',
    expected: [true],
    async facts(user) {
      const { setCookies } = await enter(user)
      const known = setCookies.filter((each) => each.startsWith('lib.known='))
      return known.map((each) => each.includes('; HttpOnly; SameSite=Lax'))
    },
  },
  {
    title: 'signs in with a code from an e-mail, after a wrong one',
    expected: ['/auth/verify-request', 'Verification', undefined, '/', 'ada@example.com'],
    async facts(user, origin) {
      const send = async (path: string, fields: Readonly<Record<string, string>>) => {
        const form = { csrfToken: await user.csrfToken(), ...fields }
        const { headers } = await user.send(path, { form })
        return new URL(headers.location ?? '', origin)
      }
      const mailUser = async () => JSON.parse((await user.send('/auth/session')).body)?.user?.email
      const sent = await send('/auth/signin/mail', { email: 'ada@example.com' })
      const wrong = await send('/auth/callback/mail', { code: '135790' })
      const before = await mailUser()
      const right = await send('/auth/callback/mail', { code: '246810' })
      const error = wrong.searchParams.get('error')
      return [sent.pathname, error, before, right.pathname, await mailUser()]
    },
  },
]
