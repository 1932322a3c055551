import {
  allowInsecureRequests,
  customFetch,
  processUserInfoResponse,
  userInfoRequest,
} from 'oauth4webapi'
import type { AuthorizationServer, Client, IDToken } from 'oauth4webapi'
import type { UserinfoEndpoint } from '../../config/provider.ts'
import type { Context } from '../../contracts.ts'
import type { AccountEvidence, StoredAccount } from '../../evidence.ts'
import { asciiLowerCase, foldsToAscii } from '../../case-folding.ts'
import { OAuthProfileParseError } from '../../errors/sign-in.ts'
import { callHook } from '../../hooks.ts'
import type { Account, Profile, TokenSet, User } from '../../types.ts'
import { orCallbackError } from './failure.ts'
import { hookContext } from './hook-context.ts'
import { setParameters } from './parameters.ts'
import type { OAuthProvider } from './provider.ts'
import { endpointOf } from './server.ts'
import { verifySignature } from './signature.ts'

const MAX_URL_LENGTH = 2048
/** Raster images only: SVG can contain scripts. */
const IMAGE_DATA = /^data:image\/(?:png|jpeg|gif|webp|avif);base64, ?[\w+/=]+$/
const MAX_DATA_LENGTH = 4096

type UserinfoRequest = NonNullable<UserinfoEndpoint['request']>

export interface ProfileFacts {
  readonly server: AuthorizationServer
  readonly client: Client
  readonly tokens: TokenSet
  readonly claims?: IDToken
}

function isProfile(value: unknown): value is Profile {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.keys(value).length > 0
  )
}

async function userinfoUrl(provider: OAuthProvider): Promise<URL> {
  const url = await endpointOf(provider, 'userinfo_endpoint')
  setParameters(url, provider.endpoints.userinfo.params)
  return url
}

async function fetchUserinfo(provider: OAuthProvider, { tokens }: ProfileFacts): Promise<unknown> {
  const response = await provider.fetch(await userinfoUrl(provider), {
    headers: { authorization: `Bearer ${tokens.access_token}`, accept: 'application/json' },
  })
  const { ok, status } = response
  if (!ok)
    throw Object.assign(new Error('The userinfo endpoint rejected the access token.'), { status })
  // Drops the parse error, whose message quotes the body.
  return response.json().catch(() => null)
}

/** Fetches the userinfo of an OpenID provider; its `sub` must match the ID token (OpenID Connect Core §5.3.2). */
async function fetchOidcUserinfo(provider: OAuthProvider, facts: ProfileFacts): Promise<unknown> {
  const { server, client, tokens, claims } = facts
  const userinfo_endpoint = (await userinfoUrl(provider)).href
  const as = { ...server, userinfo_endpoint }
  const response = await userInfoRequest(as, client, tokens.access_token ?? '', {
    [customFetch]: (url, { body: _none, ...init }) => provider.fetch(url, init),
    [allowInsecureRequests]: provider.http !== 'none',
  })
  const isSigned = response.headers.get('content-type')?.includes('application/jwt')
  const jws = isSigned ? await response.clone().text() : ''
  const userinfo = await processUserInfoResponse(as, client, claims?.sub ?? '', response)
  const registered = provider.client.userinfo_signed_response_alg
  const { issuer } = server
  if (isSigned) await verifySignature(provider, { jws, issuer, response }, registered)
  return userinfo
}

function requestProfile(
  ctx: Context,
  provider: OAuthProvider,
  { request, tokens }: { readonly request: UserinfoRequest; readonly tokens: TokenSet },
): Promise<unknown> {
  return callHook<unknown>(ctx, {
    what: `The userinfo request of provider ${provider.id}`,
    run: () => request({ tokens, provider: hookContext(ctx, provider) }),
  })
}

async function rawProfile(
  ctx: Context,
  provider: OAuthProvider,
  facts: ProfileFacts,
): Promise<Profile> {
  const { userinfo } = provider.endpoints
  const { claims, tokens } = facts
  if (claims && provider.claimsFrom === 'id_token') return claims
  const failed = `Provider ${provider.id} returned no usable profile.`
  return orCallbackError(provider.id, failed, async () => {
    const profile = userinfo.request
      ? await requestProfile(ctx, provider, { request: userinfo.request, tokens })
      : await (claims ? fetchOidcUserinfo : fetchUserinfo)(provider, facts)
    if (!isProfile(profile)) throw new Error('The profile is not a JSON object.')
    if (claims && profile.sub !== undefined && profile.sub !== claims.sub)
      throw new Error(
        'The sub of the userinfo response differs from the sub of the ID token (OpenID Connect Core §5.3.2).',
      )
    return profile
  })
}

/** Removes U+0000, which PostgreSQL cannot store, from text that is only displayed. */
function withoutNul(text: string): string {
  return text.replaceAll('\0', '')
}

function safeImage(given: unknown): string | null | undefined {
  if (typeof given !== 'string') return null
  const image = withoutNul(given)
  if (IMAGE_DATA.test(image)) return image.length <= MAX_DATA_LENGTH ? image : null
  const base = 'https://relative.invalid'
  const protocol = URL.canParse(image, base) ? new URL(image, base).protocol : ''
  const isHttp = protocol === 'https:' || protocol === 'http:'
  return isHttp && image.length <= MAX_URL_LENGTH ? image : null
}

/** Results of `String(profile.id)` without an id. Accepting one would give all such users the same account. */
const NO_ID: ReadonlySet<string> = new Set(['', 'undefined', 'null', 'NaN', '[object Object]'])

function accountId(id: unknown): string {
  if (typeof id === 'number' && Number.isFinite(id)) return String(id)
  if (typeof id === 'bigint') return String(id)
  if (typeof id === 'string' && !NO_ID.has(id)) return id
  throw new Error(
    'profile() returned no id. Return the id of the user at the provider, as a string or number.',
  )
}

function checkUser(user: unknown): { readonly user: User; readonly id: string } {
  if (!isUser(user))
    throw new Error('profile() did not return an object. Return a user with an id.')
  const { name, email, image } = user
  if (email !== undefined && email !== null && typeof email !== 'string')
    throw new Error('profile() returned an email that is not a string.')
  return {
    id: accountId(user.id),
    user: {
      ...user,
      ...(typeof name === 'string' && { name: withoutNul(name) }),
      ...(typeof email === 'string' && { email: asciiLowerCase(email) }),
      ...(image !== undefined && { image: safeImage(image) }),
    },
  }
}

function isUser(value: unknown): value is User {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Builds the account. Drops `userId` and `id` from the token response, so that the provider cannot set them. */
function accountOf(provider: OAuthProvider, providerAccountId: string, tokens: TokenSet): Account {
  const { userId: _userId, id: _id, ...rest } = tokens
  return { ...rest, provider: provider.id, type: provider.type, providerAccountId }
}

function isVerified({ email }: User, profile: Profile): boolean {
  return (
    profile.email_verified === true &&
    typeof email === 'string' &&
    !foldsToAscii(email) &&
    typeof profile.email === 'string' &&
    asciiLowerCase(profile.email) === email
  )
}

function storedOf(provider: OAuthProvider, account: Account, tokens: TokenSet): StoredAccount {
  const { providerAccountId } = account
  return {
    ...provider.account(tokens),
    provider: provider.id,
    type: provider.type,
    providerAccountId,
  }
}

type Identity = Pick<AccountEvidence, 'user' | 'account' | 'stored' | 'emailVerified'> & {
  readonly profile: Profile
}

/** Identifies the user. Throws OAuthProfileParseError if `profile()` throws or returns an invalid user. */
export async function identify(
  ctx: Context,
  provider: OAuthProvider,
  facts: ProfileFacts,
): Promise<Identity> {
  const { id } = provider
  const { tokens } = facts
  ctx.secrets.addKeysOf(tokens)
  const profile = await rawProfile(ctx, provider, facts)
  ctx.secrets.addKeysOf(profile)
  try {
    const { user, id: providerAccountId } = checkUser(
      await callHook(ctx, {
        what: `The profile function of provider ${id}`,
        run: () => provider.profile(profile, tokens, { fetch: provider.fetch }),
      }),
    )
    const account = accountOf(provider, providerAccountId, tokens)
    return {
      user: { ...user, id: `${id}|${providerAccountId}` },
      account,
      stored: storedOf(provider, account, tokens),
      emailVerified: provider.verifiesEmail && isVerified(user, profile),
      profile,
    }
  } catch (cause) {
    throw new OAuthProfileParseError(
      `profile() of provider ${id} threw or returned an invalid user.`,
      {
        cause: ctx.secrets.redact(cause),
        provider: id,
      },
    )
  }
}
