import { createCsrfMiddleware, createMiddleware, createStart } from '@tanstack/react-start'
import { lib } from './auth'

const csrf = createCsrfMiddleware({ filter: ({ handlerType }) => handlerType === 'serverFn' })
const cookies = createMiddleware().server(lib.middleware)

export const startInstance = createStart(() => ({ requestMiddleware: [csrf, cookies] }))
