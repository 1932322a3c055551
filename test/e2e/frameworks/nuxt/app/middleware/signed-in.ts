import { useSession } from 'lib-auth/vue'

export default defineNuxtRouteMiddleware((to) => {
  const { data } = useSession()
  if (data.value) return
  const query = new URLSearchParams({ callbackUrl: to.fullPath })
  return navigateTo(`/auth/signin?${query}`, { external: true })
})
