import { createFileRoute } from '@tanstack/react-router'
import { useServerFn } from '@tanstack/react-start'
import { useActionState } from 'react'
import { readSession, signInAtProvider, signInWithPassword, signOut } from '../session'

export const Route = createFileRoute('/')({
  loader: async () => ({ session: await readSession() }),
  component: Home,
})

function Home() {
  const { session } = Route.useLoaderData()
  if (!session) return <SignIn />
  return (
    <>
      <h1>Hello, {session.user?.name}</h1>
      <p>This page was rendered on the server.</p>
      <form method="post" action={signOut.url}>
        <button>Sign out</button>
      </form>
    </>
  )
}

function SignIn() {
  return (
    <>
      <h1>You are not signed in</h1>
      <p>Choose one of the methods.</p>
      <div className="methods">
        <section className="card">
          <h2>With an account elsewhere</h2>
          <p className="note">An OpenID provider on this machine.</p>
          <form method="post" action={signInAtProvider.url}>
            <button className="primary">Sign in with the demo provider</button>
          </form>
        </section>
        <section className="card">
          <h2>With a password</h2>
          <p className="note">Credentials that the application verifies.</p>
          <PasswordForm />
        </section>
      </div>
    </>
  )
}

function PasswordForm() {
  const signIn = useServerFn(signInWithPassword)
  const [error, submit] = useActionState((_: string, data: FormData) => signIn({ data }), '')
  return (
    <form action={submit}>
      {error && <p role="alert">{error}</p>}
      <label htmlFor="username">User name</label>
      <input id="username" name="username" autoComplete="username" defaultValue="grace" required />
      <label htmlFor="password">Password</label>
      <input
        id="password"
        name="password"
        type="password"
        autoComplete="current-password"
        defaultValue="correct horse"
        required
      />
      <button>Sign in with a password</button>
    </form>
  )
}
