import { defineMiddleware, sequence } from 'astro:middleware'
import { CredentialsSignin, MissingCSRF } from 'lib-auth/errors'
import { onRequest as libAuth, site } from './auth'

const readBodies = defineMiddleware(async ({ request }, next) => {
  if (site.parsers && request.method === 'POST') await request.clone().text()
  return next()
})

const answerErrors = defineMiddleware(async (_context, next) => {
  try {
    return await next()
  } catch (error) {
    if (error instanceof CredentialsSignin) return new Response(error.code, { status: 401 })
    if (error instanceof MissingCSRF) return new Response(null, { status: 403 })
    throw error
  }
})

export const onRequest = sequence(readBodies, libAuth, answerErrors)
