import { cookies } from 'next/headers'
import { auth } from '../../auth'

export const GET = auth(async () => {
  const store = await cookies()
  store.set('before', 'a b')
  await auth()
  store.set('after', '1')
  return new Response('own', { headers: { 'cache-control': 'public, max-age=60' } })
})
