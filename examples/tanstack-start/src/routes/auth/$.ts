import { createFileRoute } from '@tanstack/react-router'
import { lib } from '../../auth'

export const Route = createFileRoute('/auth/$')({ server: { handlers: { ANY: lib.handler } } })
