import { protect } from '../../auth.server'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = async (event) => {
  const { user } = await protect(event)
  return { name: user?.name ?? user?.email }
}
