// Server functions: what is inside of `handler` and `server` runs on the server alone.
import { createMiddleware, createServerFn } from '@tanstack/react-start'
import { setResponseStatus } from '@tanstack/react-start/server'
import { CredentialsSignin } from 'lib-auth/tanstack-start'
import { lib } from './auth'

export const readSession = createServerFn().handler(() => lib.auth())

export const signInAtProvider = createServerFn({ method: 'POST' }).handler(() => lib.signIn('demo'))

export const signInWithPassword = createServerFn({ method: 'POST' })
  .validator((form: FormData) => form)
  .handler(async ({ data }) => {
    try {
      return await lib.signIn('credentials', data)
    } catch (error) {
      // A redirect is thrown, too.
      if (!(error instanceof CredentialsSignin)) throw error
      setResponseStatus(401)
      return 'User name or password is wrong.'
    }
  })

export const signOut = createServerFn({ method: 'POST' }).handler(() => lib.signOut())

const signedIn = createMiddleware().server(lib.protect())

export const readName = createServerFn()
  .middleware([signedIn])
  .handler(async () => (await lib.auth())?.user?.name)
