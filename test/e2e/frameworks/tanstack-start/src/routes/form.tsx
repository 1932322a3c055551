import { createFileRoute } from '@tanstack/react-router'
import { readSecret, signInByForm } from '../session'

export const Route = createFileRoute('/form')({ component: SignInForm })

function SignInForm() {
  return (
    <form method="post" action={signInByForm.url} encType="multipart/form-data">
      <input name="username" />
      <input name="password" type="password" />
      <button>Sign in</button>
      <a href={readSecret.url}>secret</a>
    </form>
  )
}
