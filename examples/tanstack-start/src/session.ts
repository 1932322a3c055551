// Server functions: what is inside of `handler` and `server` runs on the server alone.
import { createMiddleware, createServerFn } from '@tanstack/react-start'
import { setResponseStatus } from '@tanstack/react-start/server'
import { SignInError } from 'lib-auth/tanstack-start'
import { lib } from './auth'

const MESSAGES = new Map([
  ['CredentialsSignin', 'User name or password is wrong.'],
  ['TooManyAttempts', 'Too many attempts. Try again later.'],
])

export const readSession = createServerFn().handler(() => lib.auth())

export const signInAtProvider = createServerFn({ method: 'POST' }).handler(() => lib.signIn('demo'))

export const signInWithPassword = createServerFn({ method: 'POST' })
  .validator((form: FormData) => form)
  .handler(async ({ data }) => {
    try {
      return await lib.signIn('credentials', data)
    } catch (error) {
      // A redirect is thrown, too.
      if (!(error instanceof SignInError)) throw error
      setResponseStatus(error.status)
      return MESSAGES.get(error.type) ?? 'The sign-in failed.'
    }
  })

export const signOut = createServerFn({ method: 'POST' }).handler(() => lib.signOut())

const signedIn = createMiddleware().server(lib.protect())

export const readName = createServerFn()
  .middleware([signedIn])
  .handler(async () => (await lib.auth())?.user?.name)
