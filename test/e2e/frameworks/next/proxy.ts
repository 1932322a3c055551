export { auth as proxy } from './auth'

export const config = {
  matcher: ['/guarded', '/guarded/((?!data$).*)', '/page', '/token-page', '/api/auth/signin'],
}
