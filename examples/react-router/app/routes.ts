import { index, route } from '@react-router/dev/routes'
import type { RouteConfig } from '@react-router/dev/routes'

export default [
  index('routes/home.tsx'),
  route('auth/*', 'routes/auth.ts'),
  route('client', 'routes/client.tsx'),
  route('protected', 'routes/protected.tsx'),
] satisfies RouteConfig
