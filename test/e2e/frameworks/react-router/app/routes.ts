import { index, layout, route } from '@react-router/dev/routes'
import type { RouteConfig } from '@react-router/dev/routes'

export default [
  index('routes/home.tsx'),
  route('auth/*', 'routes/auth.ts'),
  route('api/auth/*', 'routes/other-auth.ts'),
  route('me', 'routes/me.ts'),
  route('page', 'routes/page.tsx'),
  layout('routes/protected.tsx', [route('guarded/*', 'routes/guarded.tsx')]),
  route('guarded/data', 'routes/data.ts'),
  route('own', 'routes/own.ts'),
  route('form', 'routes/form.tsx'),
  route('login', 'routes/login.ts'),
  route('logout', 'routes/logout.ts'),
  route('update', 'routes/update.ts'),
  route('token', 'routes/token.ts'),
  route('scopes', 'routes/scopes.ts'),
  route('sessions', 'routes/sessions.ts'),
  route('accounts', 'routes/accounts.ts'),
  route('factors', 'routes/factors.ts'),
  route('assured', 'routes/assured.ts'),
] satisfies RouteConfig
