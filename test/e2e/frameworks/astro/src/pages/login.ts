import type { APIRoute } from 'astro'
import { signIn } from '../auth'

export const ALL: APIRoute = async (context) => {
  const form = context.request.method === 'POST' ? await context.request.formData() : new FormData()
  form.set('redirectTo', '/page')
  return signIn(context, 'credentials', form)
}
