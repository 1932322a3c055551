/**
 * What a test needs besides Node. Where it is missing the test is left out with a line that says how to get
 * it; with REQUIRE_ALL=1 that is a failure.
 */
import { chromiumOptions, findNginx as nginxPath } from '../tools/services.mjs'
import type { LaunchOptions } from 'playwright-core'

async function need<T>(
  name: string,
  how: string,
  find: () => Promise<T | null>,
): Promise<T | null> {
  const found = await find()
  if (found !== null) return found
  const message = `${name} is not here; to run these tests: ${how}.`
  if (process.env['REQUIRE_ALL'] === '1') throw new Error(message)
  console.warn(message)
  return null
}

export const findBrowser = (): Promise<LaunchOptions | null> =>
  need<LaunchOptions>('Chromium', 'apt-get install chromium, or set CHROME_PATH', chromiumOptions)

export const findNginx = (): Promise<string | null> =>
  need<string>('nginx', 'apt-get install nginx openssl, or set NGINX_PATH', nginxPath)
