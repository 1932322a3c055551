import type { BoundProvider, Context, Reply } from '../contracts.ts'
import { withPrivateUrl } from '../http/respond.ts'
import { signIn } from '../identity/sign-in.ts'

export async function completeSignIn(ctx: Context, provider: BoundProvider): Promise<Reply> {
  const result = await provider.complete(ctx)
  return withPrivateUrl('account' in result ? await signIn(ctx, result) : result)
}
