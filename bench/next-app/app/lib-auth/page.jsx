import { auth } from '../../lib-auth.mjs'
import { Greeting } from '../greeting.jsx'

export default async function Page() {
  const session = await auth()
  return <Greeting name={session?.user?.name} />
}
