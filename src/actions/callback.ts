import type { BoundProvider, Context, Reply } from '../contracts.ts'
import { unseen } from '../http/unseen.ts'
import { signIn } from '../identity/sign-in.ts'

export async function completeSignIn(ctx: Context, provider: BoundProvider): Promise<Reply> {
  const result = await provider.complete(ctx)
  return unseen('account' in result ? await signIn(ctx, result) : result)
}
