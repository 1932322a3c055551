/** The conformance suite for the recipe for Workers, in workerd. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { findWorkerd } from '../services.ts'
import { conformance } from '../frameworks/conformance/index.ts'
import { bundleGuide } from './guide-program.ts'
import { startWorker, WORKERS } from './worker-server.ts'

const folder = mkdtempSync(join(tmpdir(), 'lib-auth-worker-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const file = 'worker.mjs'
const code = await bundleGuide(`export { default } from './worker'`, { config: 'worker' })
writeFileSync(join(folder, file), code)

const program = await findWorkerd()
for (const { name, ...runtime } of program ? WORKERS : [])
  conformance(
    `worker.ts with ${name}`,
    startWorker({ program: program ?? '', folder, file, ...runtime }),
    // workerd closes it if it has not received the rest of a rejected body.
    { closesConnection: true, leavesConnection: true },
    { isRecipe: true },
  )
