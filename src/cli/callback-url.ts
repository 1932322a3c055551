/** The callback URL of the application in a folder, without running its code. */
import { join } from 'node:path'
import { normalizeBasePath } from '../core/http/base-path.ts'
import { BASE_PATH } from '../core/config/defaults.ts'
import { urlFrom } from '../core/config/variables.ts'
import { developmentOrigin, findModule, readApplication } from './application.ts'
import { viewCode } from './code-view.ts'
import { loadEnvironment } from './env-files.ts'
import { readIfPossible } from './files.ts'

/** The default of `lib-auth/next`. */
const NEXT_BASE_PATH = '/api/auth'

export function callbackUrl(providerId: string, folder: string): string {
  const { env } = loadEnvironment(folder, process.env)
  const module = findModule(folder)
  const source = module === undefined ? '' : readIfPossible(join(folder, module))
  const code = viewCode(source, 'auth.ts').withStrings
  const configured = urlFrom(env) ?? ''
  const url = URL.canParse(configured) ? new URL(configured) : null
  const [, written] = /\bbasePath:\s*['"`]([^'"`$]+)['"`]/.exec(code) ?? []
  const isNext =
    code.includes('lib-auth/next') ||
    (!code.includes('lib-auth/') && 'next' in readApplication(folder).packages)
  const fromUrl = url && url.pathname !== '/' ? url.pathname : undefined
  const basePath = written ?? fromUrl ?? (isNext ? NEXT_BASE_PATH : BASE_PATH)
  const origin = url?.origin ?? developmentOrigin({ folder, env })
  return `${origin}${normalizeBasePath(basePath)}/callback/${providerId}`
}
