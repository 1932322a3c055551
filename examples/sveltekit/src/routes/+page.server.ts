import { signIn, signOut } from '../auth.server'
import type { Actions } from './$types'

// The field providerId of the form selects the provider.
export const actions = { signIn, signOut } satisfies Actions
