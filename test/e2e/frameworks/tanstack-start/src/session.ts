import { createMiddleware, createServerFn } from '@tanstack/react-start'
import * as lib from './auth'

export const readSession = createServerFn().handler(() => lib.auth())

const signedIn = createMiddleware().server(lib.protect())

export const readSecret = createServerFn()
  .middleware([signedIn])
  .handler(async () => `secret for ${(await lib.auth())?.user?.name ?? 'guest'}`)

export const signInByForm = createServerFn({ method: 'POST' })
  .validator((form: FormData) => form)
  .handler(({ data }) => lib.signIn(String(data.get('provider') ?? 'credentials'), data))
