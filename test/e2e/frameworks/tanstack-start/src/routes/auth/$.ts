import { createFileRoute } from '@tanstack/react-router'
import { handler } from '../../auth'

export const Route = createFileRoute('/auth/$')({ server: { handlers: { ANY: handler } } })
