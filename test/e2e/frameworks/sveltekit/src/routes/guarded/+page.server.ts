import { protect } from '../../auth.server.ts'
import type { Actions, PageServerLoad } from './$types'

export const load: PageServerLoad = async (event) => {
  const session = await protect(event)
  return { name: session?.user?.name ?? 'guest' }
}

export const actions: Actions = {
  default: async (event) => {
    await protect(event)
  },
}
