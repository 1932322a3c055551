import type { Route } from './+types/data'
import { protect, rules } from '../auth.server'

export const middleware: Route.MiddlewareFunction[] = [protect(rules)]
export const loader = () => Response.json({ data: 1 })
