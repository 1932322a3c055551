import type { AuthConfig } from 'lib-auth'
import MemoryAdapter from 'lib-auth/adapters/memory'
import { Password } from 'lib-auth/password'
import GitHub from 'lib-auth/providers/github'
import Keycloak from 'lib-auth/providers/keycloak'
import Nodemailer from 'lib-auth/providers/nodemailer'
import Passkey from 'lib-auth/providers/passkey'

export const config: AuthConfig = {
  adapter: MemoryAdapter(),
  providers: [
    GitHub({
      clientId: 'client',
      clientSecret: 'secret',
      authorization: { params: { scope: 'repo' } },
    }),
    Keycloak({ clientId: 'client', clientSecret: 'secret', issuer: 'https://sso.test/realms/one' }),
    Nodemailer({ server: 'smtp://localhost:2525', from: 'no-reply@app.test', maxAge: 600 }),
    Passkey(),
    Password({ minLength: 14, commonPasswords: false }),
  ],
  secret: [
    'a secret of the application, of more than 32 bytes',
    'the one before, of more than 32 bytes',
  ],
  origin: 'https://app.test',
  session: {
    strategy: 'jwt',
    maxAge: 3600,
    updateAge: 60,
    absoluteMaxAge: 86_400,
    revocation: { maxStaleness: 5, whenDown: { acceptFor: 60 } },
    devices: 'described',
    maxPerUser: 10,
    assurance: 'kept',
    lifetime: ({ remember }) => ({ idle: 3600, keep: remember !== false }),
  },
  account: { freshFor: 600, changeEmail: 'both', send: () => undefined },
  secondStep: { rememberDevice: 86_400 },
  tokens: { stored: 'encrypted' },
  logout: { allowedOrigins: ['https://www.app.test'] },
  pages: { signIn: '/login', error: '/oops' },
  theme: { brandColor: '#0f766e', name: 'Application', messages: { signIn: 'Come in' } },
  protection: { limits: { password: { burst: 3, per: 600 } } },
  audit: { write: () => undefined },
  experimental: { enableWebAuthn: true },
  debug: false,
}
