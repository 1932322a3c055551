/** Refreshes access tokens in the proxy, because a page that is rendered cannot store them in cookies. */
import type { NextRequest } from 'next/server.js'
import { AccessTokenError } from '../../core/errors/classes.ts'
import { logError } from '../../core/log/logger.ts'
import { requestToken } from '../../core/tokens/get-access-token.ts'
import type { ResponseCookie } from '../../core/types.ts'
import type { PreparedConfig } from './config.ts'

/** The cookies to set, for the browser and for the page that is rendered next. */
export async function refreshTokens(
  { headers, method, url }: NextRequest,
  config: PreparedConfig,
): Promise<readonly ResponseCookie[]> {
  const changes: ResponseCookie[] = []
  for (const provider of config.tokens?.refreshInProxy ?? []) {
    const call = { provider, options: {}, setCookies: () => undefined }
    try {
      const { cookies } = await requestToken({ headers, method, url: new URL(url) }, config, call)
      changes.push(...cookies)
    } catch (error) {
      // The page that reads the token gets the error; most pages do not read it.
      if (!(error instanceof AccessTokenError)) logError(error, config)
    }
  }
  return changes
}
