/** A site that runs: the library behind node:http, and what stands in front of it. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { Auth } from '../../src/index.ts'
import type { AuthConfig } from '../../src/index.ts'
import { passwordConfig } from '../config.ts'
import { applicationWith, diagnose, send, serve, toRequest } from './patient.ts'

/** Changes an answer on its way; `false`: it has been given already. */
export type Change = (path: string, response: ServerResponse, answer: Response) => Response | false

/** What is unlike a site on which everything is right. */
export interface Site {
  readonly config?: Partial<AuthConfig>
  readonly change?: Change
  readonly protocol?: 'http' | 'https'
}

/** A site with one way to sign in. */
export function site({
  config = {},
  change = (_path, _response, answer) => answer,
  protocol,
}: Site): RequestListener {
  const all = passwordConfig({ basePath: '/api/auth', ...config }).config
  const answer = async (message: IncomingMessage, response: ServerResponse) => {
    const request = await toRequest(message, protocol)
    const { pathname } = new URL(request.url)
    const changed = change(pathname.replace('/api/auth', ''), response, await Auth(request, all))
    if (changed) await send(changed, response)
  }
  return (message, response) => void answer(message, response)
}

/** Looks at a site from a folder that has nothing to do with it. */
export async function look(options: Site, path: string = '') {
  const origin = await serve(site(options))
  const { about, ...rest } = await diagnose(applicationWith({}), ['--url', origin + path])
  return { origin, site: about('site'), about, ...rest }
}
