export { onRequest } from './auth'
