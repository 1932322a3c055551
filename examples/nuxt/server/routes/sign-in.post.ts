import { CredentialsSignin } from 'lib-auth/errors'

export default defineEventHandler(async (event) => {
  const { provider, ...fields } = await readBody(event)
  try {
    return await signIn(event, provider, { ...fields, redirectTo: '/' })
  } catch (error) {
    if (!(error instanceof CredentialsSignin)) throw error
    return sendRedirect(event, '/?error=credentials', 303)
  }
})
