import { CredentialsSignin } from 'lib-auth/react-router'
import { Form } from 'react-router'
import type { Route } from './+types/form'
import { signIn } from '../auth.server'

export async function action(args: Route.ActionArgs) {
  try {
    return await signIn(args, 'credentials', await args.request.formData())
  } catch (error) {
    if (error instanceof CredentialsSignin) return { code: error.code }
    throw error
  }
}

export default function SignInForm({ actionData }: Route.ComponentProps) {
  return (
    <Form method="post">
      <input name="username" />
      <input name="password" type="password" />
      <button>Sign in</button>
      <b>{actionData?.code}</b>
    </Form>
  )
}
