/** What is left to do in files that are no code: what is installed, and the environment. */
import { RENAMED_VARIABLES } from './leftovers.ts'
import type { Note } from './rewrite.ts'

function lines(text: string): string[] {
  return text.split(/\r\n|[\n\r]/)
}

/** Notes for the lines of which `say` has something to say. */
function notesFor(text: string, say: (line: string) => string | undefined): Note[] {
  return lines(text).flatMap((content, index) => {
    const what = say(content)
    return what === undefined ? [] : [{ line: index + 1, what }]
  })
}

function inManifest(line: string): string | undefined {
  const { name, version = '' } =
    /"(?<name>next-auth|@auth\/core|@next-auth\/[\w-]+)"\s*:\s*"[^\d"]*(?<version>\d+)/.exec(line)
      ?.groups ?? {}
  if (name === undefined) return undefined
  if (name.startsWith('@next-auth/'))
    return `${name} is an adapter of version 4: install ${name.replace('@next-auth/', '@auth/')} in its place.`
  const command = `npm install lib-auth && npm uninstall ${name}`
  return name === 'next-auth' && version === '4'
    ? `${name} is installed in version 4: see "From version 4" in the guide; then ${command}`
    : `${name} is installed. When no import of it is left: ${command}`
}

function inEnvironment(line: string): string | undefined {
  const name = /^\s*(?:export\s+)?(NEXTAUTH_\w+)\s*=/.exec(line)?.[1]
  const what = name && RENAMED_VARIABLES.get(name)
  return what ? `${name} ${what}` : undefined
}

const OLD_RESOLUTION = /^(?!\s*\/\/).*"moduleResolution"\s*:\s*"(node|node10|classic)"/i

function inCompilerOptions(line: string): string | undefined {
  const resolution = OLD_RESOLUTION.exec(line)?.[1]
  if (resolution !== undefined)
    return `"moduleResolution": "${resolution}" does not find lib-auth/next: write "bundler", or "nodenext".`
  const name = /"((?:next-auth|@auth\/core)(?:\/[\w/*-]*)?)"/.exec(line)?.[1]
  return name && `"${name}" is no import, so it is left.`
}

/** What is said about the lines of a file, by its name. */
const SAYS: readonly (readonly [RegExp, (line: string) => string | undefined])[] = [
  [/^package\.json$/, inManifest],
  [/^\.env(?:\.|$)/, inEnvironment],
  [/^[jt]sconfig.*\.json$/, inCompilerOptions],
]

/** What looks at the lines of a file of that name; `undefined`: nothing has to. */
export function notesOf(fileName: string): ((text: string) => Note[]) | undefined {
  const say = SAYS.find(([pattern]) => pattern.test(fileName))?.[1]
  return say && ((text) => notesFor(text, say))
}
