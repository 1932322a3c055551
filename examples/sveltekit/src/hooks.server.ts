export { handle } from './auth.server'
