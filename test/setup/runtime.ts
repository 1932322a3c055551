/** Fails every test file on another runtime than that of the variable `RUNTIME`, such as `node 22.23.3`. */
import { expect } from 'vitest'

/** Name and version of this runtime; Bun and Deno report a version of Node.js as well. */
export function runtimeName(
  { bun, deno, node }: NodeJS.ProcessVersions = process.versions,
): string {
  if (bun !== undefined) return `bun ${bun}`
  return deno === undefined ? `node ${node}` : `deno ${deno}`
}

expect(runtimeName()).toBe(process.env['RUNTIME'])
