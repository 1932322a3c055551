import { MissingCSRF } from 'lib-auth/errors'
import { CredentialsSignin } from 'lib-auth/react-router'

export async function answerFailure(call: () => Promise<Response>): Promise<Response> {
  try {
    return await call()
  } catch (error) {
    if (error instanceof CredentialsSignin) return new Response(error.code, { status: 401 })
    if (error instanceof MissingCSRF) return new Response(null, { status: 403 })
    throw error
  }
}
