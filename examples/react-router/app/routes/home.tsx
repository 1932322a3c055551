import { SignInError } from 'lib-auth/react-router'
import { Form, data } from 'react-router'
import type { Route } from './+types/home'
import { lib } from '../auth.server'

const MESSAGES = new Map([
  ['CredentialsSignin', 'User name or password is wrong.'],
  ['TooManyAttempts', 'Too many attempts. Try again later.'],
])

export async function loader({ context }: Route.LoaderArgs) {
  return { session: await lib.auth(context) }
}

export async function action(args: Route.ActionArgs) {
  const form = await args.request.formData()
  const method = form.get('method')
  if (method === 'provider') return lib.signIn(args, 'demo')
  if (method === 'sign-out') return lib.signOut(args)
  try {
    return await lib.signIn(args, 'credentials', form)
  } catch (error) {
    if (!(error instanceof SignInError)) throw error
    return data(
      { error: MESSAGES.get(error.type) ?? 'The sign-in failed.' },
      { status: error.status },
    )
  }
}

export default function Home({ loaderData, actionData }: Route.ComponentProps) {
  const user = loaderData.session?.user
  if (!user) return <SignIn error={actionData?.error} />
  return (
    <>
      <h1>Hello, {user.name}</h1>
      <p>This page was rendered on the server.</p>
      <Form method="post">
        <button name="method" value="sign-out">
          Sign out
        </button>
      </Form>
    </>
  )
}

function SignIn({ error }: { error?: string }) {
  return (
    <>
      <h1>You are not signed in</h1>
      <p>Choose one of the methods.</p>
      <div className="methods">
        <section className="card">
          <h2>With an account elsewhere</h2>
          <p className="note">An OpenID provider on this machine.</p>
          <Form method="post">
            <button className="primary" name="method" value="provider">
              Sign in with the demo provider
            </button>
          </Form>
        </section>
        <section className="card">
          <h2>With a password</h2>
          <p className="note">Credentials that the application verifies.</p>
          <Form method="post">
            {error && <p role="alert">{error}</p>}
            <label htmlFor="username">User name</label>
            <input
              id="username"
              name="username"
              autoComplete="username"
              defaultValue="grace"
              required
            />
            <label htmlFor="password">Password</label>
            <input
              id="password"
              name="password"
              type="password"
              autoComplete="current-password"
              defaultValue="correct horse"
              required
            />
            <button name="method" value="password">
              Sign in with a password
            </button>
          </Form>
        </section>
      </div>
    </>
  )
}
