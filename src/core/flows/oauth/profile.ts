import {
  allowInsecureRequests,
  customFetch,
  processUserInfoResponse,
  userInfoRequest,
} from 'oauth4webapi'
import { accountId } from './account-id.ts'
import { asciiLowerCase, foldsToAscii } from '../../identity/case-folding.ts'
import type { AccountEvidence } from '../../evidence.ts'
import { OAuthProfileParseError } from '../../errors/classes.ts'
import { callHook } from '../../hooks.ts'
import { isRecord } from '../../is-record.ts'
import type { Profile, TokenSet, User } from '../../types.ts'
import type { Exchanged } from './exchange.ts'
import { orCallbackError } from './failure.ts'
import { verifySignature } from './id-token.ts'
import { providerContext } from './provider.ts'
import type { OAuthProvider, SignInParties } from './provider.ts'
import { findEndpoint } from './server.ts'

const MAX_URL_LENGTH = 2048
/** Raster images only: SVG can contain scripts. */
const IMAGE_DATA = /^data:image\/(?:png|jpeg|gif|webp|avif);base64, ?[\w+/=]+$/
const MAX_DATA_LENGTH = 4096

function isProfile(value: unknown): value is Profile {
  return isRecord(value) && Object.keys(value).length > 0
}

async function fetchUserinfo(provider: OAuthProvider, tokens: TokenSet): Promise<unknown> {
  const response = await provider.fetch(await findEndpoint(provider, 'userinfo_endpoint'), {
    headers: { authorization: `Bearer ${tokens.access_token}`, accept: 'application/json' },
  })
  const { ok, status } = response
  if (!ok)
    throw Object.assign(new Error('The userinfo endpoint rejected the access token.'), { status })
  // Drops the parse error, whose message quotes the body.
  return response.json().catch(() => null)
}

/** Fetches the userinfo of an OpenID provider; its `sub` must match the ID token (OpenID Connect Core §5.3.2). */
async function fetchOidcUserinfo(
  { provider, server, client }: SignInParties,
  tokens: TokenSet,
  subject: string,
): Promise<unknown> {
  const userinfo_endpoint = (await findEndpoint(provider, 'userinfo_endpoint')).href
  const as = { ...server, userinfo_endpoint }
  const response = await userInfoRequest(as, client, tokens.access_token ?? '', {
    [customFetch]: (url, { body: _none, ...init }) => provider.fetch(url, init),
    [allowInsecureRequests]: provider.http !== 'none',
  })
  const isSigned = response.headers.get('content-type')?.includes('application/jwt')
  const jws = isSigned ? await response.clone().text() : ''
  const userinfo = await processUserInfoResponse(as, client, subject, response)
  const registered = provider.client.userinfo_signed_response_alg
  const { issuer } = server
  if (isSigned) await verifySignature(provider, { jws, issuer, response }, registered)
  return userinfo
}

async function fetchProfile(parties: SignInParties, { claims, tokens }: Exchanged) {
  const { ctx, provider } = parties
  const { request } = provider.endpoints.userinfo_endpoint
  if (!request)
    return claims ? fetchOidcUserinfo(parties, tokens, claims.sub) : fetchUserinfo(provider, tokens)
  return callHook<unknown>(ctx, {
    what: `The userinfo request of provider ${provider.id}`,
    run: () => request({ tokens, provider: providerContext(ctx, provider) }),
  })
}

async function readProfile(parties: SignInParties, exchanged: Exchanged): Promise<Profile> {
  const { id, idToken } = parties.provider
  const { claims, user } = exchanged
  if (claims && idToken !== false) return user ? { user, ...claims } : claims
  return orCallbackError(id, `Provider ${id} returned no valid profile.`, async () => {
    const profile = await fetchProfile(parties, exchanged)
    if (!isProfile(profile)) throw new Error('The profile is not a JSON object.')
    const { sub = claims?.sub } = profile
    const differs = 'The sub of the userinfo response differs from the sub of the ID token'
    if (claims && sub !== claims.sub) throw new Error(`${differs} (OpenID Connect Core §5.3.2).`)
    return profile
  })
}

/** Removes U+0000, which PostgreSQL cannot store, from text that is only displayed. */
const withoutNul = (text: string): string => text.replaceAll('\0', '')

function safeImage(given: unknown): string | null | undefined {
  if (typeof given !== 'string') return null
  const image = withoutNul(given)
  if (IMAGE_DATA.test(image)) return image.length <= MAX_DATA_LENGTH ? image : null
  const base = 'https://relative.invalid'
  const protocol = URL.canParse(image, base) ? new URL(image, base).protocol : ''
  const isHttp = protocol === 'https:' || protocol === 'http:'
  return isHttp && image.length <= MAX_URL_LENGTH ? image : null
}

function parseUser(user: unknown): { readonly user: User; readonly id: string } {
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
      // A blank address would be the same for all such users.
      ...(typeof email === 'string' && { email: email.trim() ? asciiLowerCase(email) : null }),
      ...(image !== undefined && { image: safeImage(image) }),
    },
  }
}

function isUser(value: unknown): value is User {
  return isRecord(value)
}

/** Apple, Amazon Cognito and LinkedIn also send the boolean as text. */
function reportsVerified(
  profile: Profile,
  { trustEmail, allowDangerousEmailAccountLinking }: OAuthProvider,
): boolean {
  const claim: unknown = profile.email_verified
  if (claim !== true && claim !== 'true') return false
  const isFunction = typeof trustEmail === 'function'
  const trusted: unknown = isFunction ? trustEmail(profile) : trustEmail
  if (trusted === true) return true
  return !isFunction && claim === true && allowDangerousEmailAccountLinking === true
}

/** Whether the provider reports the address as verified, and is trusted to verify it. */
function isVerified({ email }: User, profile: Profile, provider: OAuthProvider): boolean {
  return (
    reportsVerified(profile, provider) &&
    typeof email === 'string' &&
    !foldsToAscii(email) &&
    typeof profile.email === 'string' &&
    asciiLowerCase(profile.email) === email
  )
}

type Identity = Pick<AccountEvidence, 'user' | 'account' | 'stored' | 'emailVerified' | 'profile'>

/** Identifies the user. Throws OAuthProfileParseError if `profile()` throws or returns an invalid user. */
export async function identify(parties: SignInParties, exchanged: Exchanged): Promise<Identity> {
  const { ctx, provider } = parties
  const { id, type } = provider
  const { tokens } = exchanged
  ctx.secrets.addKeysOf(tokens)
  const profile = await readProfile(parties, exchanged)
  ctx.secrets.addKeysOf(profile)
  try {
    const what = `The profile function of provider ${id}`
    const run = () => provider.profile(profile, tokens, { fetch: provider.fetch })
    const { user, id: providerAccountId } = parseUser(await callHook(ctx, { what, run }))
    // Without `userId` and `id` of the token response, so that the provider cannot set them.
    const { userId: _userId, id: _id, ...rest } = tokens
    const account = { provider: id, type, providerAccountId }
    return {
      user: { ...user, id: `${id}|${providerAccountId}` },
      account: { ...rest, ...account },
      stored: { ...provider.account(tokens), ...account },
      emailVerified: isVerified(user, profile, provider),
      profile,
    }
  } catch (error) {
    const message = `profile() of provider ${id} threw or returned an invalid user.`
    const cause = ctx.secrets.redact(error)
    throw new OAuthProfileParseError(message, { cause, provider: id })
  }
}
