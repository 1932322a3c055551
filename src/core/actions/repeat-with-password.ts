/** Handles the Enter key in the form of the built-in sign-in page that has a field for the address and one for the password. */
import { normalizeAttributes } from '../pages/field.ts'
import type { Context, Reply } from '../contracts.ts'

/** Types whose value is sent although the user typed nothing. */
const UNTYPED = /^(?:checkbox|hidden|radio|submit)$/

/** Redirects the request, with its body, to the callback of the credentials provider; `null` if no password was typed. */
export function repeatWithPassword({ request, config, origin }: Context, id: string): Reply | null {
  const { offer } = config.providers.get(id) ?? {}
  const fields = offer?.kind === 'form' ? Object.entries(offer.fields) : []
  const isTyped = fields.some(([name, input]) => {
    const type = String(normalizeAttributes(name, input)['type'])
    return name !== 'email' && !UNTYPED.test(type) && Boolean(request.body[name])
  })
  if (!isTyped) return null
  // RFC 9110 §15.4.8: with the same method and body.
  return { status: 307, redirect: `${origin}${config.basePath}/callback/${encodeURIComponent(id)}` }
}
