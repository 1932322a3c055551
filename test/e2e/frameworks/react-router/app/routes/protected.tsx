import { Outlet } from 'react-router'
import type { Route } from './+types/protected'
import { protect } from '../auth.server'

export const middleware: Route.MiddlewareFunction[] = [protect()]
export const loader = () => null

export default function Protected() {
  return <Outlet />
}
