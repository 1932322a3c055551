/** What is special about the sign-out at a vendor, as its documentation says. */
import { expect, test } from 'vitest'
import Auth0 from '../../src/providers/auth0.ts'
import Cognito from '../../src/providers/cognito.ts'
import FusionAuth from '../../src/providers/fusionauth.ts'
import Keycloak from '../../src/providers/keycloak.ts'
import Kinde from '../../src/providers/kinde.ts'
import MicrosoftEntraID from '../../src/providers/microsoft-entra-id.ts'
import Okta from '../../src/providers/okta.ts'
import OneLogin from '../../src/providers/onelogin.ts'
import OryHydra from '../../src/providers/ory-hydra.ts'
import type { OIDCConfig } from '../../src/providers/index.ts'
import { browser, issuer as createIssuer } from '../../src/testing/index.ts'
import { SECRET, silentLog } from '../config.ts'
import { OPTIONS } from './vendor.ts'

const TENANT = '00000000-0000-4000-8000-0000000000bb'

interface Vendor {
  readonly provider: OIDCConfig<never>
  readonly issuer: string
  readonly claims?: Readonly<Record<string, string>>
}

/** The parameters of the sign-out, with the ID token or without it. */
async function signOut(
  { provider, issuer, claims }: Vendor,
  idTokenHint: 'kept' | 'none',
): Promise<URLSearchParams> {
  const op = await createIssuer({ ...OPTIONS, url: issuer })
  op.misbehaviour.discovery = (metadata) => ({
    ...metadata,
    end_session_endpoint: `${issuer}/end`,
  })
  const { logger } = silentLog()
  const config = {
    providers: [provider],
    secret: SECRET,
    trustHost: true,
    logger,
    fetch: op.fetch,
    logout: { idTokenHint },
  }
  const tab = browser(config, { issuer: op })
  await tab.signIn(provider.id, { sub: 'ada', ...claims })
  expect(await tab.session()).not.toBeNull()
  const response = await tab.post('signout', { federated: 'true' })
  const { origin, pathname, searchParams } = new URL(response.headers.get('location') ?? '')
  expect(origin + pathname).toBe(`${issuer}/end`)
  return searchParams
}

const RETURN_URL = 'https://app.test/auth/post-logout'
const ENTRA = 'https://login.microsoftonline.com/00000000-0000-4000-8000-0000000000aa/v2.0'

interface Expected {
  readonly vendor: Vendor
  /** The name of the parameter with the return URL. */
  readonly redirect?: string
  readonly more?: Readonly<Record<string, string>>
  /** Whether the vendor redirects back without the ID token. */
  readonly withoutHint?: 'returns' | 'ends'
}

type Factory = (options: { issuer: string } & typeof OPTIONS) => OIDCConfig<never>

function at(issuer: string, factory: Factory): Vendor {
  return { issuer, provider: factory({ ...OPTIONS, issuer }) }
}

const VENDORS: Readonly<Record<string, Expected>> = {
  'Amazon Cognito': {
    vendor: at('https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_a', Cognito),
    redirect: 'logout_uri',
  },
  Auth0: { vendor: at('https://tenant.eu.auth0.com', Auth0) },
  FusionAuth: {
    vendor: at('https://fusionauth.example.com', (options) =>
      FusionAuth({ ...options, tenantId: TENANT }),
    ),
    more: { tenantId: TENANT },
  },
  Keycloak: { vendor: at('https://sso.example.com/realms/a', Keycloak) },
  Kinde: { vendor: at('https://example.kinde.com', Kinde), redirect: 'redirect' },
  'Microsoft Entra ID': {
    vendor: {
      ...at(ENTRA, MicrosoftEntraID),
      claims: { tid: '00000000-0000-4000-8000-0000000000aa', login_hint: 'hint of Ada' },
    },
    more: { logout_hint: 'hint of Ada' },
  },
  Okta: { vendor: at('https://example.okta.com', Okta) },
  OneLogin: { vendor: at('https://example.onelogin.com/oidc/2', OneLogin), withoutHint: 'ends' },
  'Ory Hydra': { vendor: at('https://auth.example.com', OryHydra), withoutHint: 'ends' },
}

test.each(Object.entries(VENDORS))('the sign-out at %s', async (_name, expected) => {
  const { vendor, redirect = 'post_logout_redirect_uri', more = {}, withoutHint } = expected
  const { id_token_hint, state, ...rest } = Object.fromEntries(await signOut(vendor, 'kept'))
  expect(rest).toEqual({ client_id: OPTIONS.clientId, [redirect]: RETURN_URL, ...more })
  expect(id_token_hint).toMatch(/^ey/)
  expect(state).toMatch(/^[\w-]{43}$/)
  const names = [...(await signOut(vendor, 'none')).keys()]
  const isReturned = withoutHint !== 'ends'
  expect(names.includes(redirect)).toBe(isReturned)
  expect(names.includes('state')).toBe(isReturned)
  expect(names).not.toContain('id_token_hint')
})
