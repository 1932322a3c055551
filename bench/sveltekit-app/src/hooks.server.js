import { authSvelteKit, libAuth } from './auth.js'

/** Each route has only its own hook; `/auth` contains the routes of `@auth/sveltekit`. */
export function handle(input) {
  const { pathname } = input.event.url
  if (pathname.startsWith('/lib-auth')) return libAuth.handle(input)
  if (pathname === '/auth-sveltekit' || pathname.startsWith('/auth/'))
    return authSvelteKit.handle(input)
  return input.resolve(input.event)
}
