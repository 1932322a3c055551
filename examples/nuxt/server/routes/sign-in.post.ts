import { SignInError } from 'lib-auth/errors'

export default defineEventHandler(async (event) => {
  const { provider, ...fields } = await readBody(event)
  try {
    return await signIn(event, provider, { ...fields, redirectTo: '/' })
  } catch (error) {
    if (!(error instanceof SignInError)) throw error
    return sendRedirect(event, `/?error=${error.type}`, 303)
  }
})
