export { auth as proxy } from './auth'

export const config = {
  matcher: ['/guarded', '/guarded/((?!data$).*)', '/page', '/api/auth/signin'],
}
