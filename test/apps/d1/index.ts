/** Cloudflare's runtime with a worker and a D1 in it, as it is on npm. */
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import type { Request as WorkerRequest } from 'miniflare'

/** A worker that runs. */
export interface RunningWorker {
  readonly origin: string
  end(): Promise<void>
}

async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('worker.ts', import.meta.url))],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    external: ['cloudflare:workers'],
  })
  return outputFiles[0]?.text ?? ''
}

/** How the worker runs. */
export interface WorkerOptions {
  /** @default '2026-04-01' */
  readonly compatibilityDate?: string
  readonly compatibilityFlags?: string[]
  /** Where the sessions are. @default 'database' */
  readonly strategy?: 'jwt' | 'database'
}

/** Starts the worker, with an empty database. What it fetches is answered by `outside`. */
export async function startWorker(
  outside: (request: Request) => Promise<Response>,
  options: WorkerOptions = {},
): Promise<RunningWorker> {
  const { compatibilityDate = '2026-04-01', compatibilityFlags = [], strategy } = options
  const { Miniflare, Response: Answer } = await import('miniflare')
  const runtime = new Miniflare({
    modules: true,
    script: await bundle(),
    compatibilityDate,
    compatibilityFlags,
    bindings: { STRATEGY: strategy ?? 'database' },
    d1Databases: ['DB'],
    async outboundService({ url, method, headers, body }: WorkerRequest) {
      const init = { method, headers: [...headers], body: body && (await new Answer(body).text()) }
      const response = await outside(new Request(url, init))
      return new Answer(await response.text(), {
        status: response.status,
        headers: [...response.headers],
      })
    },
  })
  const { origin } = await runtime.ready
  return { origin, end: () => runtime.dispose() }
}
