import { useSession } from 'lib-auth/solid'

export default function Page() {
  const session = useSession()
  return <p>{`${session().status}: ${session().data?.user?.name}`}</p>
}
