import type { NextApiRequest, NextApiResponse } from 'next'
import { auth } from '../../auth'

export default async function handler(
  request: NextApiRequest,
  response: NextApiResponse,
): Promise<void> {
  const session = await auth(request, response)
  response.json({ role: session?.role })
}
