import Lib from 'lib-auth/next'
import GitHub from 'lib-auth/providers/github'

export const { handlers, auth, signIn, signOut } = Lib({
  providers: [GitHub],
  callbacks: { session: ({ session }) => ({ ...session, role: 'admin' as const }) },
})
