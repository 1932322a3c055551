/** A running site: the library behind node:http, with a proxy that may change responses. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { Auth } from '../../../src/index.ts'
import type { AuthConfig } from '../../../src/index.ts'
import { passwordConfig } from '../../config.ts'
import { applicationWith, callDoctor, send, serve, toRequest } from './run-doctor.ts'

/** Changes a response, or returns `false` after sending it. */
export type Change = (path: string, response: ServerResponse, answer: Response) => Response | false

export interface Site {
  readonly config?: Partial<AuthConfig>
  readonly change?: Change
  readonly protocol?: 'http' | 'https'
}

/** A site with one provider. */
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

/** Checks a site from an empty folder. */
export async function checkSite(options: Site, path: string = '') {
  const origin = await serve(site(options))
  const { about, ...rest } = await callDoctor(applicationWith({}), ['--url', origin + path])
  return { origin, site: about('site'), about, ...rest }
}
