import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { APP } from '../../tools/demo-app.mjs'
import { makeNextApp, nextProgram } from '../../tools/next-app.mjs'
import { fullSuite, shortSuite } from './demo-suite.ts'
import { askForLink, describeDemo, findLink, heading } from './demo.ts'
import type { Demo } from './demo.ts'

describeDemo({
  name: 'Next.js 15',
  make: () => makeNextApp({ from: APP, name: 'demo-15', version: 15 }),
  next: nextProgram(15),
  suites: { jwt: fullSuite },
})

function developmentSuite(demo: Demo): void {
  shortSuite(demo)

  test('keeps people signed in when the code changes', async () => {
    const page = await demo.open('/api/auth/signin')
    await askForLink(page, 'kathleen@example.com')
    await (await findLink(page, 'kathleen@example.com')).click()
    await page.getByRole('heading', { name: 'Hello, kathleen@example.com' }).waitFor()

    const file = join(demo.folder(), 'auth.ts')
    writeFileSync(file, readFileSync(file, 'utf8').replace("name: 'e-mail'", "name: 'a letter'"))
    const other = await demo.open('/api/auth/signin')
    const changed = other.getByRole('button', { name: 'Sign in with a letter' })
    await expect.poll(() => other.reload().then(() => changed.count()), { timeout: 30_000 }).toBe(1)

    for (const path of ['/', '/protected']) {
      await page.goto(demo.url() + path)
      expect(await heading(page)).not.toBe('You are not signed in')
      expect(await page.getByRole('main').innerText()).toContain('kathleen@example.com')
    }
  })
}

describeDemo({
  name: 'Next.js 15 while it is developed, with its middleware in Node',
  // The edge has a memory of its own.
  make: () => makeNextApp({ from: APP, name: 'demo-15-dev', version: 15, runtime: 'nodejs' }),
  next: nextProgram(15),
  command: 'dev',
  suites: { database: developmentSuite },
})
