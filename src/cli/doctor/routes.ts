/** Whether an App Router of Next.js serves the base path. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { urlFrom } from '../../core/config/variables.ts'
import { viewCode } from '../code-view.ts'
import { readIfPossible } from '../files.ts'
import { locateUrl, topic } from './context.ts'
import type { Finding, DoctorContext } from './context.ts'

const ROUTE = /^\/\[\[?\.{3}\w+\]\]?\/route\.[mc]?[jt]sx?$/
/** One segment in place of all. */
const SEGMENT = /^\/\[\w+\]\/route\.[mc]?[jt]sx?$/
const HANDLERS = 'export const { GET, POST } = handlers'

interface RouteFile {
  /** From the folder of the application. */
  readonly path: string
  /** The URL path, with the name of the file. */
  readonly url: string
}

/** The files of an App Router; route groups are not part of the URL. */
function listRouteFiles(folder: string, root: string): readonly RouteFile[] {
  return readdirSync(join(folder, root), { recursive: true, encoding: 'utf8' }).map((file) => {
    const path = `/${file.replaceAll('\\', '/')}`
    return { path: root + path, url: path.replaceAll(/\/\([^/]*\)(?=\/)/g, '') }
  })
}

/** The methods of GET and POST that a module does not export; none if it exports all of another module. */
function missingMethods(code: string): readonly string[] {
  const exported = [...code.matchAll(/\bexport\b([^;=('"]*)/g)].map(([, names = '']) => names)
  if (exported.some((names) => /^\s*\*/.test(names))) return []
  return ['GET', 'POST'].filter(
    (method) => !exported.some((names) => new RegExp(String.raw`\b${method}\b`).test(names)),
  )
}

function* checkExports({ path }: RouteFile, folder: string): Generator<Finding> {
  const { error } = topic('base path')
  const { code } = viewCode(readIfPossible(join(folder, path)), path)
  const missing = missingMethods(code)
  if (missing.length > 0)
    yield error`${path} does not export ${missing.join(' and ')}, so Next.js responds with 405. → Write: ${HANDLERS}`
  else if (/\bhandlers\s+as\s+(?:GET|POST)\b/.test(code))
    yield error`${path} exports the object handlers as a method, which is a function. → Write: ${HANDLERS}`
}

function* checkRoute({ order, basePath }: DoctorContext): Generator<Finding> {
  const { error, warning } = topic('base path')
  const { folder } = order
  const roots = ['app', 'src/app'].filter((root) => existsSync(join(folder, root)))
  const files = roots.flatMap((root) => listRouteFiles(folder, root))
  const find = (pattern: RegExp) =>
    files.find(({ url }) => url.startsWith(basePath) && pattern.test(url.slice(basePath.length)))
  const [route, segment] = [find(ROUTE), find(SEGMENT)]
  if (route) yield* checkExports(route, folder)
  else if (segment) {
    const target = segment.path.replace(/\[(\w+)\](?=\/route\.)/, '[...$1]')
    yield error`no route serves ${basePath}: ${segment.path} receives one segment only. → Rename it to ${target}.`
  } else if (roots[0])
    yield warning`no route serves ${basePath}: ${roots[0]}${basePath}/[...auth]/route.ts is missing. → Create it: ${HANDLERS}`
}

export function* checkBasePath(context: DoctorContext): Generator<Finding> {
  const { given, config, env, origin, basePath, announced } = context
  if (!given || (config.origin !== undefined && origin === undefined)) return
  const url = urlFrom(env) ?? ''
  const isFromUrl = URL.canParse(url) && new URL(url).pathname !== '/'
  const inherited = isFromUrl ? locateUrl(context) : 'default'
  yield topic('base path')
    .ok`${basePath} (${given.basePath ? 'basePath in the configuration' : inherited}).`
  if (announced?.isNext) yield* checkRoute(context)
}
