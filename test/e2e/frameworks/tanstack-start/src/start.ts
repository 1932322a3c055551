import { createCsrfMiddleware, createMiddleware, createStart } from '@tanstack/react-start'
import * as lib from './auth'

const parseForms = createMiddleware().server(async ({ request, next }) => {
  if (lib.site.parsers && request.method === 'POST') await request.formData()
  return next()
})

const csrf = createCsrfMiddleware({ filter: ({ handlerType }) => handlerType === 'serverFn' })

const setCookies = createMiddleware().server((context) =>
  lib.site.withoutMiddleware ? context.next() : lib.middleware(context),
)

export const startInstance = createStart(() => ({
  requestMiddleware: [csrf, parseForms, setCookies],
}))
