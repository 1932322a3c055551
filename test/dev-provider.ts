/** The OpenID provider that the command line starts. */
import { vi } from 'vitest'
import { start } from '../tools/run.mjs'

/** What it prints for `providers` of the configuration. */
export interface PrintedProvider {
  readonly id: string
  readonly name: string
  readonly type: 'oidc'
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
}

/** The lines to paste into `providers`. */
export function printedLines(output: string): string {
  return /^ {2}\{\n[^]*?^ {2}\},$/m.exec(output)?.[0] ?? ''
}

export function printedProvider(output: string): PrintedProvider {
  const members = [...printedLines(output).matchAll(/^ {4}(\w+): '([^']*)',$/gm)]
  const read = (name: string) => members.find(([, each]) => each === name)?.[2] ?? ''
  return {
    id: read('id'),
    name: read('name'),
    type: 'oidc',
    issuer: read('issuer'),
    clientId: read('clientId'),
    clientSecret: read('clientSecret'),
  }
}

/** Starts `lib-auth dev-provider` on a free port. */
export async function startDevProvider(program: string, env = { NODE_ENV: '' }) {
  const running = start(process.execPath, [program, 'dev-provider', '--port', '0'], { env })
  await vi.waitUntil(() => running.output().includes('Ctrl+C') || running.hasEnded(), {
    timeout: 60_000,
  })
  if (running.hasEnded()) throw new Error(running.output())
  return running
}
