/** What is loaded with the first request about passwords. */
export { checkPassword, confirmPassword } from './check-password.ts'
export { withPasswords } from './password-context.ts'
export { act, show } from './password-routes.ts'
export { sendReset } from './reset-password.ts'
