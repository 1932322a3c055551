/** Sites in `workerd`, with the configuration of a test. */
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { start } from '../../tools/run.mjs'
import { keepsHeaders } from '../setup/header-keeping-response.ts'
import { op } from '../frameworks/conformance/site.ts'
import type { SiteConfig, StartSite } from '../frameworks/conformance/site.ts'
import { untilListening } from './guide-program.ts'
import { decoder, encode } from './remote-values.ts'
import type { Decoded, Run } from './remote-values.ts'

export interface Worker {
  /** The program `workerd`. */
  readonly program: string
  /** Where {@link file} is. */
  readonly folder: string
  /** The module of the worker. */
  readonly file: string
  readonly compatibilityDate: string
  readonly flags: readonly string[]
}

/** Variants of the runtime. From 2026-08-04 on, `nodejs_compat` is the default. */
export const WORKERS = [
  { name: 'an old compatibility date', compatibilityDate: '2024-01-01', flags: [] },
  { name: 'nodejs_compat', compatibilityDate: '2026-04-01', flags: ['nodejs_compat'] },
  { name: 'the newest compatibility date', compatibilityDate: '2026-11-17', flags: [] },
] as const

/** The library does not await their result; those of the suite return the same value each time. */
const SYNCHRONOUS = new Set(['generateSessionToken'])

/** What the worker reads, and the functions that it calls by their number. */
function describeSite(config: SiteConfig) {
  const { adapter } = config
  if (typeof adapter === 'function') throw new Error('The adapter of a worker is an object.')
  const functions: Run[] = []
  const site = {
    config: {
      ...config,
      // What the worker requests is answered below.
      fetch: undefined,
      // A transaction needs a function as its argument.
      ...(adapter && { adapter: { ...adapter, transaction: undefined } }),
    },
    keepsHeaders: keepsHeaders(),
    reject: (reason: unknown) => void Promise.reject(reason),
  }
  const text = encode(site, (run, name) =>
    SYNCHRONOUS.has(name) ? { $returns: run() } : { $function: functions.push(run) - 1 },
  )
  return { text, functions }
}

async function callFunction(run: Run | undefined, text: string): Promise<Response> {
  const args: Decoded<unknown[]> = JSON.parse(text, decoder())
  try {
    return new Response(encode({ returned: await run?.(...args.value) }))
  } catch (error) {
    return new Response(encode({ thrown: error }))
  }
}

/** Answers to all outbound requests of a worker: to the functions of its configuration, and to the provider. */
async function listenFor(functions: readonly Run[]) {
  const answer = async (incoming: IncomingMessage): Promise<Response> => {
    const { hostname, pathname, href } = new URL(incoming.url ?? '')
    const text = Buffer.concat(await incoming.toArray()).toString()
    if (hostname === 'test.invalid') return callFunction(functions[Number(pathname.slice(1))], text)
    const { method = 'GET', headersDistinct } = incoming
    const headers = Object.entries(headersDistinct).map(
      ([name, values]) => [name, String(values)] as const,
    )
    return op.fetch(href, {
      method,
      headers: Object.fromEntries(headers),
      ...(text && { body: text }),
    })
  }
  const server = createServer({ requireHostHeader: false }, (incoming, outgoing) => {
    const respond = async () => {
      const response = await answer(incoming)
      outgoing.writeHead(response.status, Object.fromEntries(response.headers))
      outgoing.end(Buffer.from(await response.arrayBuffer()))
    }
    respond().catch((error: unknown) => outgoing.destroy(new Error('No answer.', { cause: error })))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { address: `127.0.0.1:${port}`, close: () => server.close().closeAllConnections() }
}

const quote = (text: string) => JSON.stringify(text)

/** The configuration of the program. */
const settings = ({ file, compatibilityDate, flags }: Worker, site: string, address: string) =>
  `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "site", worker = (
      modules = [(name = "worker.js", esModule = embed ${quote(file)})],
      compatibilityDate = ${quote(compatibilityDate)},
      compatibilityFlags = [${flags.map(quote).join()}],
      bindings = [(name = "SITE", text = ${quote(site)})],
      globalOutbound = "test",
    )),
    (name = "test", external = (address = ${quote(address)}, http = (style = proxy))),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "site")],
);
`

let sites = 0

/** Starts a worker whose configuration is worker-config.ts. */
export const startWorker =
  (worker: Worker): StartSite =>
  async ({ config }) => {
    if (typeof config === 'function') throw new Error('The worker has no lazy configuration.')
    const { text, functions } = describeSite(config)
    const { address, close } = await listenFor(functions)
    sites += 1
    const file = join(worker.folder, `site-${sites}.capnp`)
    writeFileSync(file, settings(worker, text, address))
    const running = start(worker.program, ['serve', '--control-fd=1', file])
    const stop = async () => {
      await running.stop()
      close()
    }
    const port = await untilListening(running, /"socket":"http","port":(\d+)/)
    return { origin: `http://127.0.0.1:${port}`, stop }
  }
