import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { APPS } from '../../tools/demo-app.mjs'
import { makeNextApp, nextProgram } from '../../tools/next-app.mjs'
import { describeDemo } from './demo.ts'
import type { Demo } from './demo.ts'
import { heading, openAsGrace } from './user-actions.ts'
import { actionSuite, updateSuite } from './session-suite.ts'
import { linkingSuite, shortSuite } from './sign-in-suite.ts'

describeDemo({
  name: 'Next.js 15',
  router: 'app',
  make: () => makeNextApp({ from: APPS.app, name: 'demo', version: 15, runtime: 'nodejs' }),
  next: nextProgram(15),
  trials: [
    // What the browser does does not depend on the release of Next.js.
    { sessions: 'jwt', suites: [shortSuite, linkingSuite, updateSuite, actionSuite] },
  ],
})

function developmentSuite(demo: Demo): void {
  test('keeps users signed in when the code changes', async () => {
    const page = await openAsGrace(demo, '/')
    const file = join(demo.folder(), 'auth.ts')
    writeFileSync(file, readFileSync(file, 'utf8').replace("name: 'e-mail'", "name: 'a letter'"))
    const other = await demo.open('/api/auth/signin')
    const changed = other.getByRole('button', { name: 'Continue with a letter' })
    await expect.poll(() => other.reload().then(() => changed.count()), { timeout: 90_000 }).toBe(1)

    for (const path of ['/', '/protected']) {
      await page.goto(demo.url() + path)
      expect(await heading(page)).not.toBe('You are not signed in')
      expect(await page.getByRole('main').innerText()).toContain('Grace Hopper')
    }
  })
}

describeDemo({
  name: 'Next.js 15 in development, with its middleware in Node',
  router: 'app',
  // The edge runtime cannot open the database.
  make: () => makeNextApp({ from: APPS.app, name: 'demo-dev', version: 15, runtime: 'nodejs' }),
  next: nextProgram(15),
  command: 'dev',
  trials: [{ sessions: 'database', suites: [developmentSuite] }],
})
