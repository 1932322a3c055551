import { MissingCSRF } from 'lib-auth/errors'
import { CredentialsSignin } from 'lib-auth/tanstack-start'

export async function answerFailure<T>(call: () => Promise<T>): Promise<T | Response> {
  try {
    return await call()
  } catch (error) {
    if (error instanceof CredentialsSignin) return new Response(error.code, { status: 401 })
    if (error instanceof MissingCSRF) return new Response(null, { status: 403 })
    throw error
  }
}
