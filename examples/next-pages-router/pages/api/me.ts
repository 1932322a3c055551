import type { NextApiRequest, NextApiResponse } from 'next'
import { auth } from '../../auth'

/** Returns the user of the session. */
export default async function me(request: NextApiRequest, response: NextApiResponse) {
  const session = await auth(request, response)
  if (session?.user) response.json(session.user)
  else response.status(401).json({ error: 'Sign in first.' })
}
