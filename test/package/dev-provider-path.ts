/** The path of a quick start for readers without an account: the provider of `npx lib-auth dev-provider`. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { expect } from 'vitest'
import { printedLines, startDevProvider } from '../dev-provider.ts'
import type { Followed } from './follow.ts'
import { visitDespiteReloads } from './reload.ts'

/** What the paragraph of the quick start refers to. */
export interface DevProviderPath {
  /** The module with `providers`. */
  readonly file: string
  /** Starts the application. */
  readonly command: string
  /** @default '/auth' */
  readonly basePath?: string
}

/**
 * Starts the provider of the installed package, writes what it prints into `providers` instead of GitHub, and signs in
 * with a browser.
 */
export async function followDevProvider(
  app: Followed,
  folder: string,
  browser: Browser,
  { file, command, basePath = '/auth' }: DevProviderPath,
): Promise<void> {
  const program = await startDevProvider(join(folder, 'node_modules/lib-auth/dist/cli/index.js'))
  try {
    const path = join(folder, file)
    const lines = printedLines(program.output())
    const before = readFileSync(path, 'utf8')
    const text = before.replace(/providers: \[(?:GitHub)?/, (begin) =>
      begin.replace('GitHub', '').concat('\n', lines, '\n'),
    )
    expect(text, file).toContain(lines)
    writeFileSync(path, text)
    await app.run(command)
    await visitDespiteReloads(app.output, async () => {
      const page = await browser.newPage()
      await page.goto(`${app.url}${basePath}/signin`)
      await page.getByRole('button', { name: 'Continue with Dev provider' }).click()
      await page.getByRole('button', { name: 'Ada Lovelace' }).click()
      await page.getByRole('button', { name: 'Allow' }).click()
      await page.waitForURL((url) => url.origin === app.url)
      await page.goto(`${app.url}${basePath}/session`)
      expect(JSON.parse(await page.locator('body').innerText())).toMatchObject({
        user: { name: 'Ada Lovelace', email: 'ada@example.com' },
      })
      await page.close()
    })
  } finally {
    await program.stop()
  }
}
