import { auth } from '../../auth'

export default async function Page() {
  return <p>{(await auth())?.user?.name}</p>
}
