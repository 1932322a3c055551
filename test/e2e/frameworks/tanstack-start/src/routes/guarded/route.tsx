import { Outlet, createFileRoute } from '@tanstack/react-router'
import { createMiddleware } from '@tanstack/react-start'
import { protect } from '../../auth'

export const Route = createFileRoute('/guarded')({
  server: { middleware: [createMiddleware().server(protect())] },
  component: Outlet,
})
