/** The cookie that carries what the user typed to the next built-in page. Sealed: it may contain an e-mail address. */
import type { Context, SubmittedForm } from '../contracts.ts'
import { open, seal } from '../crypto/seal.ts'
import { isRecord } from '../is-record.ts'

const KEY = { salt: 'lib.form', family: 'internal' } as const

/** Remembers the values for 10 minutes, unless they do not fit into a cookie. */
export async function rememberForm(ctx: Context, { form, values }: SubmittedForm): Promise<void> {
  const { jar, cookies, config } = ctx
  const maxAge = cookies.form.options.maxAge ?? 0
  const value = await seal({ form, values }, { secrets: config.secrets, ...KEY, maxAge })
  if (!jar.trySet({ ...cookies.form, value }))
    config.log.debug?.('form cookie not set', { length: value.length })
}

/** What this browser submitted last; `null` if that is too long ago. */
export async function readForm({ jar, cookies, config }: Context): Promise<SubmittedForm | null> {
  const sealed = jar.get(cookies.form.name)
  const claims = sealed && (await open(sealed, { secrets: config.secrets, ...KEY }))
  if (!claims) return null
  const { form, values } = claims
  if (typeof form !== 'string' || !isRecord(values)) return null
  const texts = Object.entries(values).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as const] : [],
  )
  return { form, values: Object.fromEntries(texts) }
}

export function forgetForm({ jar, cookies }: Context): void {
  if (jar.get(cookies.form.name) !== undefined) jar.delete(cookies.form)
}
