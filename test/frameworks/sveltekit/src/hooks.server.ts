import type { HandleServerError } from '@sveltejs/kit'

export { handle } from './auth.ts'

/** The test does not print what it provokes. */
export const handleError: HandleServerError = () => undefined
