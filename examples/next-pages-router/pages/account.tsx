import type { GetServerSidePropsContext, InferGetServerSidePropsType } from 'next'
import { auth } from '../auth'

/** Protects itself: `proxy.ts` does not match this page. */
export async function getServerSideProps(context: GetServerSidePropsContext) {
  const session = await auth(context)
  if (session?.user) return { props: { session, user: session.user } }
  return { redirect: { destination: '/api/auth/signin?callbackUrl=/account', permanent: false } }
}

export default function AccountPage({
  user: { name, email },
}: InferGetServerSidePropsType<typeof getServerSideProps>) {
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
    </>
  )
}
