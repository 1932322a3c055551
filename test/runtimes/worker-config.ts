/** The configuration of the test that has started this worker. Its functions run in that test. */
import { env, waitUntil } from 'cloudflare:workers'
import type { AuthConfig } from '../../src/index.ts'
import { installKeepingResponse } from '../setup/header-keeping-response.ts'
import { decoder, encode } from './remote-values.ts'
import type { Decoded, Run } from './remote-values.ts'

interface Site {
  readonly config: AuthConfig
  readonly keepsHeaders: boolean
  readonly reject: (reason: unknown) => void
}

interface Outcome {
  readonly returned?: unknown
  readonly thrown?: Error
}

async function call(id: number, args: readonly unknown[]): Promise<unknown> {
  const answer = await fetch(`http://test.invalid/${id}`, { method: 'POST', body: encode(args) })
  const outcome: Decoded<Outcome> = JSON.parse(await answer.text(), decoder())
  const { returned, thrown } = outcome.value
  if (thrown) throw thrown
  return returned
}

const restore =
  (id: number): Run =>
  (...args) => {
    const result = call(id, args)
    // Nothing awaits a logger.
    waitUntil(result.catch(() => undefined))
    return result
  }

const { value: site }: Decoded<Site> = JSON.parse(env.SITE ?? '', decoder(restore))

if (site.keepsHeaders) installKeepingResponse()
// With an old compatibility date, the event also comes before a handler is attached in the same task.
const unhandled = new Set<Promise<unknown>>()
addEventListener('rejectionhandled', ({ promise }) => unhandled.delete(promise))
addEventListener('unhandledrejection', ({ promise, reason }) => {
  unhandled.add(promise)
  const report = async () => {
    await new Promise((resolve) => setTimeout(resolve))
    if (unhandled.delete(promise)) site.reject(reason)
  }
  waitUntil(report())
})

export const { config } = site
