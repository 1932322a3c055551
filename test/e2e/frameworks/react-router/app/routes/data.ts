import type { Route } from './+types/data'
import { allow, protect } from '../auth.server'

export const middleware: Route.MiddlewareFunction[] = [protect(allow ? { allow } : {})]
export const loader = () => Response.json({ data: 1 })
