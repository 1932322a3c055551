import { json } from '@sveltejs/kit'
import type { RequestHandler } from '@sveltejs/kit'
import { lib } from '../../auth.server.ts'

export const GET: RequestHandler = async (event) =>
  json(await lib.getAccessToken(event, 'op').catch(({ type, code }) => ({ type, code })))
