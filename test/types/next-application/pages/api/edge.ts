import { auth } from '../../auth'

export const config = { runtime: 'edge' }
export default auth((request) => Response.json({ role: request.auth?.role }))
