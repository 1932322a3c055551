import { auth } from '../../auth'

export default async function ProtectedPage() {
  const session = await auth()
  return (
    <>
      <h1>For signed-in users only</h1>
      <p>
        Only signed-in users can see this page. You are{' '}
        <strong>{session?.user?.name ?? session?.user?.email}</strong>.
      </p>
    </>
  )
}
