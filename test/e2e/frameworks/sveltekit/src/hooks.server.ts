export { handle } from './auth.server.ts'

/** The test does not print what it provokes. */
export const handleError = () => undefined
