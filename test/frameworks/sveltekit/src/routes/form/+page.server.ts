import { signIn, signOut } from '../../auth.ts'
import type { Actions } from './$types'

export const actions: Actions = { signIn, signOut }
