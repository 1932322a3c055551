import { signIn, signOut } from '../../auth.server.ts'
import type { Actions } from './$types'

export const actions: Actions = { signIn, signOut }
