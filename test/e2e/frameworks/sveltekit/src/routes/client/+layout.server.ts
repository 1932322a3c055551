import type { LayoutServerLoad } from './$types'

export const load: LayoutServerLoad = async ({ locals, url }) => ({
  session: url.searchParams.has('late') ? undefined : await locals.auth(),
})
