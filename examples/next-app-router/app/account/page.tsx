import { auth, signIn } from '../../auth'
import { Passkeys } from './passkeys'

interface Props {
  searchParams: Promise<{ refused?: string }>
}

/** Protects itself: `proxy.ts` does not match this page. */
export default async function AccountPage({ searchParams }: Props) {
  const session = await auth()
  if (!session?.user) return signIn(undefined, { redirectTo: '/account' })
  const { name, email } = session.user
  return (
    <>
      <h1>Your account</h1>
      <p>This page reads the session before it shows anything.</p>
      <dl>
        <dt>Name</dt>
        <dd>{name ?? 'not set'}</dd>
        <dt>E-mail address</dt>
        <dd>{email}</dd>
      </dl>
      <Passkeys isRefused={(await searchParams).refused !== undefined} />
    </>
  )
}
