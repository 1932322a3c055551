/** What is left to do by hand in `package.json`, `.env` files and `tsconfig.json`. */
import { RENAMED_VARIABLES } from './leftovers.ts'
import type { Note } from './rewrite.ts'

type Inspect = (line: string) => string | undefined

function inspectManifest(line: string): string | undefined {
  const [, name, version] =
    /"(next-auth|@auth\/core|@next-auth\/[\w-]+)"\s*:\s*"[^\d"]*(\d+)/.exec(line) ?? []
  if (name === undefined) return undefined
  if (name.startsWith('@next-auth/'))
    return `${name} is an adapter of version 4: install ${name.replace('@next-auth/', '@auth/')} instead.`
  const command = `npm install lib-auth && npm uninstall ${name}`
  return name === 'next-auth' && version === '4'
    ? `${name} is installed in version 4: see "From version 4" in the guide; then ${command}`
    : `${name} is installed. When no import of it is left: ${command}`
}

function inspectVariable(line: string): string | undefined {
  const name = /^\s*(?:export\s+)?(NEXTAUTH_\w+)\s*=/.exec(line)?.[1] ?? ''
  const what = RENAMED_VARIABLES.get(name)
  return what && `${name} ${what}`
}

function inspectCompilerOption(line: string): string | undefined {
  const resolution = /^(?!\s*\/\/).*"moduleResolution"\s*:\s*"(node|node10|classic)"/i.exec(
    line,
  )?.[1]
  if (resolution !== undefined)
    return `"moduleResolution": "${resolution}" does not find lib-auth/next: write "bundler", or "nodenext".`
  const name = /"((?:next-auth|@auth\/core)(?:\/[\w/*-]*)?)"/.exec(line)?.[1]
  return name && `"${name}" is not an import, so it was not changed.`
}

const INSPECTIONS: readonly (readonly [fileName: RegExp, inspect: Inspect])[] = [
  [/^package\.json$/, inspectManifest],
  [/^\.env(?:\.|$)/, inspectVariable],
  [/^[jt]sconfig.*\.json$/, inspectCompilerOption],
]

/** Returns the inspection of a file by its name; `undefined` if it needs none. */
export function inspectionOf(fileName: string): ((text: string) => Note[]) | undefined {
  const inspect = INSPECTIONS.find(([pattern]) => pattern.test(fileName))?.[1]
  return (
    inspect &&
    ((text) =>
      text.split(/\r\n|[\n\r]/).flatMap((content, index) => {
        const what = inspect(content)
        return what ? [{ line: index + 1, what }] : []
      }))
  )
}
