import type { Route } from './+types/auth'
import { handler } from '../auth.server'

export const middleware: Route.MiddlewareFunction[] = [handler]
export const loader = () => null
export const action = () => null
