import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const MODULE = fileURLToPath(new URL('../src/core/pages/passkey-script.ts', import.meta.url))
const SCRIPT = fileURLToPath(new URL('../src/browser/webauthn/page-script.ts', import.meta.url))

/** See NOTICE.md. */
const NOTICE = '/*! Contains @simplewebauthn/browser, (c) 2020 Matthew Miller, MIT License */'

/** Bundles the script of the sign-in page into one statement. */
async function bundleScript() {
  const build = await rolldown({
    input: SCRIPT,
    platform: 'browser',
    transform: { target: 'es2022' },
  })
  const { output } = await build.generate({ format: 'iife', minify: true })
  await build.close()
  const code = output[0].code.trim()
  // Either would end the script inside an HTML document.
  if (/<\/script|<!--/i.test(code)) throw new Error('The script of the page contains markup.')
  return NOTICE + code
}

/** Replaces the module that contains the script by one with its text; for Rolldown and Vite. */
export function pageScript() {
  return {
    name: 'page-script',
    async load(id) {
      if (id.split('?')[0] !== MODULE) return null
      const text = JSON.stringify(await bundleScript())
      return readFileSync(MODULE, 'utf8').replace(/''/, () => text)
    },
  }
}
