export { ALL } from '../../auth'

export const prerender = false
