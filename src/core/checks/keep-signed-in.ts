/** The box "Keep me signed in" of a form. */
import type { Context } from '../contracts.ts'
import { InvalidRequest } from '../errors/classes.ts'
import { REMEMBER, REMEMBER_SHOWN } from '../http/call-options.ts'

/** Texts that forms and programs send for no. */
const NO: ReadonlySet<string> = new Set(['', '0', 'false', 'no', 'off'])

function readChoice(sent: unknown, shown: unknown): boolean | undefined {
  if (typeof sent === 'string') return !NO.has(sent.trim().toLowerCase())
  if (typeof sent === 'boolean') return sent
  if (sent !== undefined && sent !== null)
    throw new InvalidRequest(
      `The field "${REMEMBER}" is neither a text nor a boolean. Send true or false.`,
    )
  return shown === undefined ? undefined : false
}

/** Of the form; `undefined` if it does not say. @throws InvalidRequest for a value that is neither text nor boolean */
export function readKeepSignedIn({ request }: Pick<Context, 'request'>): boolean | undefined {
  return readChoice(request.body[REMEMBER], request.body[REMEMBER_SHOWN])
}

/** What the next page needs, which shows the box again: nothing without it. */
export function shownChoice(
  ctx: Pick<Context, 'request' | 'config'>,
): Readonly<Record<string, string>> {
  const choice = ctx.config.lifetime.hasLifetime ? readKeepSignedIn(ctx) : undefined
  return choice === undefined ? {} : { [REMEMBER]: String(choice) }
}

/** Of a link; `undefined` if it does not say. */
export function linkedChoice({ request }: Pick<Context, 'request'>): boolean | undefined {
  return readChoice(request.url.searchParams.get(REMEMBER), undefined)
}

/** A choice that outlives its request; `undefined`: none was made. */
export interface KeptChoice {
  readonly keepSignedIn?: boolean | undefined
}
