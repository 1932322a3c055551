import { requireFresh } from '../../assurance/require-fresh.ts'
import { createChallenge, isCeremony } from '../../checks/challenge.ts'
import type { Challenge, NewUser } from '../../checks/challenge.ts'
import { resolveReturnUrl } from '../../checks/return-to.ts'
import { checkSource } from '../../checks/source.ts'
import type { AdapterUser } from '../../database/adapter.ts'
import type { Context, Reply } from '../../contracts.ts'
import { fromBase64Url, randomBase64Url } from '../../crypto/digest.ts'
import { InvalidRequest } from '../../errors/classes.ts'
import { findAllowList, listPasskeys } from './allow-list.ts'
import {
  cannotAddPasskey,
  isOfUser,
  mayActFor,
  storedSubject,
} from '../../checks/stored-subject.ts'
import {
  canLoadPackage,
  findRelyingParty,
  listAlgorithms,
  loadPackage,
  userHandle,
} from './provider.ts'
import type { PasskeyProvider } from './provider.ts'
import { findUser, readFields } from './user-info.ts'

/** As the response to the error, which only the first request throws. */
const UNAVAILABLE = {
  error: 'Configuration',
  message: 'There is a problem with the server configuration. Check the server logs.',
  retryable: false,
}

/** The options of a ceremony in the JSON format of WebAuthn, and what to remember until it is complete. */
interface StartedCeremony {
  readonly options: object
  readonly remembered: Omit<Challenge, 'provider' | 'ceremony' | 'challenge'>
}

async function beginAuthentication(
  ctx: Context,
  provider: PasskeyProvider,
  challenge: string,
): Promise<StartedCeremony> {
  const fields = readFields(ctx, provider)
  const info = await findUser(ctx, provider, fields)
  const name = fields['email'] ?? JSON.stringify(fields)
  const allowed = info && (await findAllowList(ctx, provider, { info, name }))
  const { generateAuthenticationOptions } = await loadPackage(provider)
  const options = await generateAuthenticationOptions({
    ...provider.config.authenticationOptions,
    rpID: (await findRelyingParty(ctx, provider)).id,
    challenge: fromBase64Url(challenge),
  })
  // Set here, because the format of the argument differs between versions of the package.
  if (!allowed) return { options: { ...options, challenge }, remembered: {} }
  return {
    options: { ...options, challenge, allowCredentials: allowed.credentials },
    remembered: { userHandle: allowed.userHandle },
  }
}

/** The user for whom a passkey is registered. */
interface Registrant {
  readonly id: string
  readonly name: string
  readonly displayName: string
  readonly newUser?: NewUser
}

/** Does not look up the user: the options must be the same for a known one, who is rejected at the end. */
function newRegistrant(ctx: Context, provider: PasskeyProvider): Registrant {
  const fields = readFields(ctx, provider)
  const [name] = Object.values(fields)
  if (name === undefined)
    throw new InvalidRequest(
      'A registration needs a user: send the fields of the sign-in form, or sign in first, as a user in the database.',
    )
  const id = crypto.randomUUID()
  return { id, name, displayName: name, newUser: { id, fields } }
}

function describeUser({ id, email, name }: AdapterUser): Registrant {
  const label = email || name || id
  return { id, name: label, displayName: name || label }
}

async function beginRegistration(
  ctx: Context,
  provider: PasskeyProvider,
  challenge: string,
  current: AdapterUser | null,
): Promise<StartedCeremony> {
  const excludeCredentials = current ? await listPasskeys(ctx, provider, current.id) : []
  const registrant = current ? describeUser(current) : newRegistrant(ctx, provider)
  const { name, displayName, newUser } = registrant
  const party = await findRelyingParty(ctx, provider)
  const handle = await userHandle(registrant.id)
  const { registrationOptions = {} } = provider.config
  const { generateRegistrationOptions } = await loadPackage(provider)
  const options = await generateRegistrationOptions({
    ...registrationOptions,
    // A copy, because the package writes to it.
    authenticatorSelection: { ...registrationOptions.authenticatorSelection },
    supportedAlgorithmIDs: listAlgorithms(provider),
    rpID: party.id,
    rpName: party.name,
    userID: fromBase64Url(handle),
    userName: name,
    userDisplayName: displayName,
    challenge: fromBase64Url(challenge),
  })
  const user = { id: handle, name, displayName }
  return {
    options: { ...options, challenge, user, excludeCredentials },
    remembered: { userHandle: handle, ...(newUser && { newUser }) },
  }
}

/** Returns `null` also for a session that an eviction could not end: the options contain passkeys and name of the user. */
async function findRegisteringUser(
  ctx: Context,
  { database }: PasskeyProvider,
): Promise<AdapterUser | null> {
  const subject = await storedSubject(ctx)
  if (!subject?.isStored) return null
  const user = await database.call(ctx, 'getUser', subject.id)
  return user && mayActFor(subject, user) ? user : null
}

/** Rejects a session that cannot add a passkey to its user: it would create a second one. */
async function rejectSecondUser(ctx: Context, { id, database }: PasskeyProvider): Promise<void> {
  if (await isOfUser(ctx, async (userId) => database.call(ctx, 'getUser', userId)))
    throw cannotAddPasskey(id)
}

/** Without `action`: a registration for a signed-in user, else an authentication. */
export async function showOptions(ctx: Context, provider: PasskeyProvider): Promise<Reply> {
  if (ctx.request.isHead) return { status: 200 }
  checkSource(ctx.request.headers, ctx.origin)
  const action = ctx.request.url.searchParams.get('action')
  if (action !== null && !isCeremony(action))
    throw new InvalidRequest('The parameter "action" is not "register" or "authenticate".')
  const current = action === 'authenticate' ? null : await findRegisteringUser(ctx, provider)
  const ceremony = action ?? (current ? 'register' : 'authenticate')
  if (ceremony === 'register' && !current) await rejectSecondUser(ctx, provider)
  if (current) await requireFresh(ctx, await resolveReturnUrl(ctx))
  if (!(await canLoadPackage(provider))) return { status: 500, body: UNAVAILABLE }
  const challenge = randomBase64Url()
  const { options, remembered } =
    ceremony === 'register'
      ? await beginRegistration(ctx, provider, challenge, current)
      : await beginAuthentication(ctx, provider, challenge)
  await createChallenge(ctx, { provider: provider.id, ceremony, challenge, ...remembered })
  ctx.config.log.debug?.('passkey ceremony started', { provider: provider.id, ceremony })
  return { status: 200, body: { action: ceremony, options } }
}
