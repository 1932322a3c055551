/** docs/start.md, whose configuration the landing page of the site shows next to a picture of its sign-in page. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openGuide, stubGuideEnvironment } from './guide.ts'

beforeAll(() => {
  stubGuideEnvironment()
  vi.stubEnv('AUTH_GOOGLE_ID', 'id')
  vi.stubEnv('AUTH_GOOGLE_SECRET', 'secret')
  vi.stubEnv('AUTH_MICROSOFT_ENTRA_ID_ID', 'id')
  vi.stubEnv('AUTH_MICROSOFT_ENTRA_ID_SECRET', 'secret')
  vi.stubEnv('EMAIL_SERVER', 'smtp://localhost')
})
afterAll(() => void vi.unstubAllEnvs())

interface Application {
  readonly handlers: { GET: (request: Request) => Promise<Response> }
}

test('the complete configuration produces the sign-in page of the picture', async () => {
  const { handlers } = await openGuide('start', 'docs/start.md').load<Application>('auth.ts')
  const response = await handlers.GET(new Request('https://app.test/api/auth/signin'))
  expect(response.status).toBe(200)
  const page = await response.text()
  expect(page).toContain('Sign in to Acme')
  expect(page.match(/(?<=Continue with )[\w -]+/g)).toEqual([
    'GitHub',
    'Google',
    'Microsoft',
    'a passkey',
    'e-mail',
  ])
})
