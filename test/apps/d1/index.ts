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

/** Starts the worker, with an empty database. What it fetches is answered by `outside`. */
export async function startWorker(
  outside: (request: Request) => Promise<Response>,
): Promise<RunningWorker> {
  const { Miniflare, Response: Answer } = await import('miniflare')
  const runtime = new Miniflare({
    modules: true,
    script: await bundle(),
    compatibilityDate: '2026-04-01',
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
