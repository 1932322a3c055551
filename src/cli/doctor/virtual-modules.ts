/** Modules that exist only in the build of a framework, with the variables of the environment. */
import { resolve } from 'node:path'
import { runsInProduction } from '../../core/config/variables.ts'

/** Exports each variable under its name. */
function exportVariables(): string {
  const names = Object.keys(process.env).filter((name) => /^[A-Z][A-Z0-9_]*$/.test(name))
  return names.map((name) => `export const ${name} = process.env.${name}`).join('\n')
}

const ENV = 'export const env = process.env'

function findSource(specifier: string): string | undefined {
  if (/^(?:\$env\/dynamic\/(?:private|public)|cloudflare:workers)$/.test(specifier)) return ENV
  if (/^\$env\/static\/(?:private|public)$/.test(specifier)) return exportVariables()
  if (/^astro:env\/(?:server|client)$/.test(specifier))
    return `${exportVariables()}\nexport const getSecret = (name) => process.env[name]`
  if (specifier === '$app/environment')
    return `export const dev = ${!runsInProduction()}, building = false, browser = false, version = ''`
  // These packages throw outside of a bundler.
  return /^(?:server|client)-only$/.test(specifier) ? 'export {}' : undefined
}

/** The URL to load instead of a module that only a bundler finds. */
export function virtualModule(specifier: string): string | undefined {
  const source = findSource(specifier)
  return source === undefined ? undefined : `data:text/javascript,${encodeURIComponent(source)}`
}

/** The path of an import from the folder that SvelteKit calls `$lib`. */
export function libraryPath(specifier: string): readonly string[] {
  const [, path] = /^\$lib(?:\/(.*))?$/.exec(specifier) ?? []
  return path === undefined ? [] : [resolve('src/lib', path)]
}

const META = `import.meta.env ??= { ...process.env, DEV: ${!runsInProduction()}, PROD: ${runsInProduction()}, SSR: true };`

/** Adds the variables that Vite provides; in the same line, so that positions in errors stay. */
export function withImportMeta(source: string): string {
  return source.includes('import.meta.env') ? META + source : source
}
