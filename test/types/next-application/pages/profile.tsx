import type { GetServerSideProps, InferGetServerSidePropsType } from 'next'
import { auth } from '../auth'

export const getServerSideProps = (async (context) => {
  const session = await auth(context)
  if (!session) return { redirect: { destination: '/', permanent: false } }
  return { props: { role: session.role } }
}) satisfies GetServerSideProps

export default function Profile({ role }: InferGetServerSidePropsType<typeof getServerSideProps>) {
  return <p>{role satisfies 'admin'}</p>
}
