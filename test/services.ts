/**
 * Programs that a test needs in addition to Node. If one is missing, the test is skipped, and a line states how to install
 * it; with REQUIRE_ALL=1 the test fails.
 */
import * as databases from '../tools/databases.mjs'
import {
  exampleFolder,
  frameworkFolder,
  isInstalled,
  runtimePath,
  SITE,
} from '../tools/separate-installs.mjs'
import { chromiumOptions, findNginx as nginxPath, workerdPath } from '../tools/services.mjs'
import type { LaunchOptions } from 'playwright-core'

async function need<T>(
  name: string,
  how: string,
  find: () => Promise<T | null>,
): Promise<T | null> {
  const found = await find()
  if (found !== null) return found
  const message = `${name} is not installed; to run these tests: ${how}.`
  if (process.env['REQUIRE_ALL'] === '1') throw new Error(message)
  console.warn(message)
  return null
}

export const findBrowser = (): Promise<LaunchOptions | null> =>
  need<LaunchOptions>('Chromium', 'apt-get install chromium, or set CHROME_PATH', chromiumOptions)

export const findNginx = (): Promise<string | null> =>
  need<string>('nginx', 'apt-get install nginx openssl, or set NGINX_PATH', nginxPath)

/** The folder of the PostgreSQL programs. */
export const findPostgres = (): Promise<string | null> =>
  need('PostgreSQL', 'npm install, or apt-get install postgresql', async () =>
    databases.findPostgres(),
  )

export const findMariaDB = (): Promise<string | null> =>
  need('MariaDB', 'apt-get install mariadb-server-core mariadb-client-core', async () =>
    databases.findMariaDB(),
  )

export const findRedis = (): Promise<string | null> =>
  need('Redis', 'apt-get install redis-server', async () => databases.findRedis())

export const findWorkerd = (): Promise<string | null> =>
  need('workerd', 'npm install, on a supported platform', async () => workerdPath())

/** The program of a runtime. */
export const findRuntime = (name: 'node-22' | 'node-24' | 'bun' | 'deno'): Promise<string | null> =>
  need(name, 'node tools/services.mjs --install', async () => runtimePath(name))

/** The folder of an application in `test/e2e/frameworks` whose dependencies are installed. */
export const findFramework = (name: string): Promise<string | null> =>
  need(name, 'node tools/services.mjs --install', async () => {
    const folder = frameworkFolder(name)
    return isInstalled(folder) ? folder : null
  })

/** The folder of an example with packages of its own, if they are installed. */
export const findExample = (name: string): Promise<string | null> =>
  need(`the example ${name}`, 'node tools/services.mjs --install', async () => {
    const folder = exampleFolder(name)
    return isInstalled(folder) ? folder : null
  })

/** The folder of the documentation site, if its packages are installed. */
export const findSite = (): Promise<string | null> =>
  need('the documentation site', 'node tools/services.mjs --install', async () =>
    isInstalled(SITE) ? SITE : null,
  )
