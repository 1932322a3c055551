import { issueCsrfToken } from '../checks/csrf.ts'
import type { Context, Reply } from '../contracts.ts'

export async function getCsrfToken(ctx: Context): Promise<Reply> {
  const csrfToken = await issueCsrfToken(ctx)
  if (csrfToken !== null) return { status: 200, body: { csrfToken } }
  ctx.config.log.warn('csrf-disabled')
  return { status: 404 }
}
