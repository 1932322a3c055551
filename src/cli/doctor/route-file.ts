/** Whether Next.js has the file that answers at the base path. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { topic } from './finding.ts'
import type { Finding } from './finding.ts'

const ROOTS = ['app', 'src/app']
const CATCH_ALL = /^\[\[?\.\.\.\w+\]\]?$/
const ROUTE = /^route\.(?:[mc]?[jt]sx?)$/

function namesIn(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder) : []
}

/** Folders of a route, wherever groups such as `(site)` put them. */
function foldersAt(folder: string, [name, ...rest]: readonly string[]): readonly string[] {
  if (name === undefined) return [folder]
  return namesIn(folder).flatMap((each) => {
    if (each === name) return foldersAt(join(folder, each), rest)
    return /^\(.*\)$/.test(each) ? foldersAt(join(folder, each), [name, ...rest]) : []
  })
}

/** Looks for the route of an application with an App Router; others may answer in ways of their own. */
export function examineRouteFile(folder: string, basePath: string): readonly Finding[] {
  const roots = ROOTS.filter((root) => existsSync(join(folder, root)))
  const [root] = roots
  if (root === undefined) return []
  const names = basePath.split('/').filter(Boolean)
  const hasRoute = roots
    .flatMap((each) => foldersAt(join(folder, each), names))
    .flatMap((each) => namesIn(each).map((name) => join(each, name)))
    .filter((each) => CATCH_ALL.test(each.split(/[\\/]/).at(-1) ?? ''))
    .some((each) => namesIn(each).some((name) => ROUTE.test(name)))
  if (hasRoute) return []
  return [
    topic('base path').warning(
      `no route answers there: ${root}${basePath}/[...auth] has no file route.ts.`,
      `Write export const { GET, POST } = handlers in ${root}${basePath}/[...auth]/route.ts.`,
    ),
  ]
}
