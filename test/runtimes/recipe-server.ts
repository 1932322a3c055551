/** Recipes of `docs/guides/other-servers.md` in this process, with the configuration of a test. */
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { loadWith } from '../e2e/frameworks/application.ts'
import type { StartSite } from '../frameworks/conformance/site.ts'

/** What `listen` returns. */
interface Listening {
  readonly port: number
  readonly stop: () => unknown
}

let copies = 0

/** Starts a bundle that `bundleRecipe` has written, once more for each site. */
export const startRecipe =
  (file: string): StartSite =>
  async (site) => {
    copies += 1
    const copy = join(file, `../site-${process.pid}-${copies}.mjs`)
    copyFileSync(file, copy)
    const env = { PORT: '0', NODE_ENV: 'production' }
    const { port, stop } = await loadWith(site, env, async (): Promise<Listening> => {
      const { listen } = (await import(pathToFileURL(copy).href)) as {
        listen: () => Promise<Listening>
      }
      return listen()
    })
    return { origin: `http://127.0.0.1:${port}`, stop: async () => void (await stop()) }
  }
