/** The OpenID provider of the examples runs in any folder. */
import { spawn } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const FOLDER = mkdtempSync(join(tmpdir(), 'lib-auth-provider-'))

afterAll(() => rmSync(FOLDER, { recursive: true, force: true }))

test('the provider of the examples starts in a folder with a space and an umlaut in its name', async () => {
  const place = join(FOLDER, 'my größe project')
  mkdirSync(place)
  symlinkSync(join(ROOT, 'node_modules'), join(place, 'node_modules'), 'dir')
  for (const file of ['pages.mjs', 'server.mjs', 'users.mjs'])
    copyFileSync(join(ROOT, 'examples/openid-provider', file), join(place, file))
  const server = spawn(process.execPath, [join(place, 'server.mjs'), '--port', '0'])
  const output = await new Promise<string>((resolve) => {
    let text = ''
    server.stdout.on('data', (chunk) => {
      text += String(chunk)
      if (text.includes('OpenID provider')) server.kill()
    })
    server.on('close', () => resolve(text))
  })
  expect(output).toContain('The OpenID provider is at http://localhost:')
})
