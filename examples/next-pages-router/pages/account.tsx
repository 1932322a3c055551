import type { GetServerSidePropsContext, InferGetServerSidePropsType } from 'next'
import { auth } from '../auth'

/** Protects itself: `proxy.ts` knows nothing of this page. */
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
      <p>This page asks who you are before it shows anything.</p>
      <dl>
        <dt>Name</dt>
        <dd>{name ?? 'not known yet'}</dd>
        <dt>E-mail address</dt>
        <dd>{email}</dd>
      </dl>
    </>
  )
}
