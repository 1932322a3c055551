import { auth } from '../../auth'

export default async function Guarded() {
  return <p>{`secret for ${(await auth())?.user?.name ?? 'guest'}`}</p>
}
