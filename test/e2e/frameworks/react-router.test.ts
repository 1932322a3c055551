/**
 * `lib-auth/react-router` in an application that is built with React Router, and served by `@react-router/express`.
 * `react-router-7.9.test.ts` and `react-router-8.test.ts` run this file with `REACT_ROUTER=react-router-8`, for example.
 */
import { cpSync, readFileSync, rmSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { run } from '../../../tools/run.mjs'
import { conformance } from '../../frameworks/conformance/index.ts'
import type { Exceptions } from '../../frameworks/conformance/index.ts'
import type { StartSite } from '../../frameworks/conformance/site.ts'
import { listen } from '../../frameworks/servers/listen.ts'
import { findFramework } from '../../services.ts'
import { buildApplication, copyBuild, loadWith } from './application.ts'
import { routerRows } from './react-router-requests.ts'

const NAME = process.env['REACT_ROUTER'] ?? 'react-router'
const folder = (await findFramework(NAME)) ?? ''

/** The program of React Router, below `node_modules`. */
function program(): string {
  const dev = '@react-router/dev'
  const text = readFileSync(join(folder, 'node_modules', dev, 'package.json'), 'utf8')
  const { bin } = JSON.parse(text) as { bin: { 'react-router': string } }
  return join(dev, bin['react-router'])
}

async function build(): Promise<void> {
  if (NAME !== 'react-router') {
    rmSync(join(folder, 'app'), { recursive: true, force: true })
    cpSync(join(folder, '../react-router/app'), join(folder, 'app'), { recursive: true })
  }
  const command = [program(), 'build']
  await buildApplication(folder, { command, output: 'build', writes: ['.react-router'] })
}

const start: StartSite = async (site) => {
  const { path, remove } = copyBuild(folder, 'build/server')
  const load = (file: string): Promise<unknown> => import(pathToFileURL(file).href)
  const { listener } = (await load(join(folder, 'listener.mjs'))) as {
    listener: (server: unknown) => RequestListener
  }
  const server = await loadWith(site, {}, () => load(join(path, 'index.js')))
  const { origin, stop } = await listen(listener(server))
  return {
    origin,
    async stop() {
      await stop()
      remove()
    },
  }
}

// `@react-router/express` builds a URL of the absolute target, and a `Request` with the method TRACE: both throw. It
// reads a body that Express has parsed as empty, for actions of the application as well.
const exceptions: Exceptions = {
  rejectsTrace: true,
  rejectsAbsoluteTargets: true,
  readsBodiesOnce: true,
  throwsStatus: 500,
}

if (folder) {
  await build()
  describe(NAME, () => {
    // React Router prints the errors of loaders.
    beforeAll(() => void vi.spyOn(console, 'error').mockReturnValue())
    conformance(`lib-auth/react-router in ${NAME}`, start, exceptions)
    // Since 7.12.
    routerRows(folder, start, { comparesOrigins: NAME !== 'react-router-7.9' })

    test('compiles with the types that React Router generates', async () => {
      const runInside = (file: string, ...args: string[]) =>
        run(process.execPath, [join(folder, 'node_modules', file), ...args], { cwd: folder })
      await runInside(program(), 'typegen')
      expect(await runInside('typescript/bin/tsc', '-p', '.')).toBe('')
    })
  })
}
