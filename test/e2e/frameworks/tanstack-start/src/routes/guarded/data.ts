import { createFileRoute } from '@tanstack/react-router'
import { createMiddleware } from '@tanstack/react-start'
import { protect, site } from '../../auth'

export const Route = createFileRoute('/guarded/data')({
  server: {
    middleware: [createMiddleware().server(protect(site.rules ?? {}))],
    handlers: { GET: () => Response.json({ data: 1 }) },
  },
})
