import { ClientFetchError } from '../client/routes.ts'
import type { JsonResponse, Routes } from '../client/routes.ts'
import type { Ceremony } from './ceremony.ts'
import { CeremonyError } from './ceremony-error.ts'

/** An error response of the server. */
interface ErrorBody {
  readonly error?: unknown
  readonly code?: unknown
  readonly message?: unknown
  readonly options?: undefined
}

type Body = Ceremony | ErrorBody

async function send(routes: Routes, route: string): Promise<JsonResponse<Body>> {
  try {
    return await routes.send(route)
  } catch (cause) {
    if (!(cause instanceof ClientFetchError)) throw cause
    throw new CeremonyError('unavailable', { cause })
  }
}

/**
 * Requests the options of a ceremony, with a new challenge.
 *
 * @throws CeremonyError whose cause has the `body` of a response without options
 * @throws TypeError if the provider does not exist or has another type
 */
export async function readCeremony(
  routes: Routes,
  id: string,
  fields: Readonly<Record<string, string>>,
): Promise<Ceremony> {
  const route = `webauthn-options/${id}`
  const { status, body } = await send(routes, `${route}?${new URLSearchParams(fields)}`)
  if (body?.options) return body
  const error = body?.error
  if (error === 'InvalidProvider')
    throw new TypeError(
      `No passkey provider has the id "${id}". For other providers, import signIn from 'lib-auth/react'.`,
    )
  const text = `${route} answered with ${status}.`
  const cause = Object.assign(new ClientFetchError(text, { status }), { body })
  // 502 to 504 are outages; 500 is an error in the configuration, which remains.
  throw new CeremonyError(status > 500 ? 'unavailable' : 'failed', { cause })
}
