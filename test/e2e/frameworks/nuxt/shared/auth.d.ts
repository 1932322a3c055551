import type { SessionContext } from 'lib-auth/nuxt'

declare module 'h3' {
  interface H3EventContext extends SessionContext {}
}
