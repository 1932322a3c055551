import { useSession } from 'lib-auth/vue'

/** Shows the sign-in page to visitors who are signed out. The data of a page is protected on the server. */
export default defineNuxtRouteMiddleware((to) => {
  const { data } = useSession()
  if (data.value) return
  const query = new URLSearchParams({ callbackUrl: to.fullPath })
  return navigateTo(`/auth/signin?${query}`, { external: true })
})
