import type { Session } from 'lib-auth/vue'
import { createAuth } from 'lib-auth/vue'

export default defineNuxtPlugin(async (nuxtApp) => {
  const session = useState<Session | null>('lib-auth:session', () => null)
  const event = useRequestEvent()
  if (event) session.value = await event.context.auth()
  nuxtApp.vueApp.use(createAuth({ session: session.value }))
})
