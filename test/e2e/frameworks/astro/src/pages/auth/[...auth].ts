export const prerender = false
export { ALL } from '../../auth'
