import { AuthError, CredentialsSignin } from 'lib-auth/next'

/** Responds to rejected credentials and calls of other origins; Next.js handles all other errors, and redirects. */
export async function answerFailure(work: () => Promise<Response>): Promise<Response> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof CredentialsSignin) return new Response(error.code, { status: 401 })
    if (error instanceof AuthError) return new Response(error.type, { status: 403 })
    throw error
  }
}
