/** CommonJS loads the package with `require`, as the guide of the servers says. */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const CODE = `
  const { default: Lib } = require('lib-auth/express')
  const { default: GitHub } = require('lib-auth/providers/github')
  console.log(typeof Lib({ providers: [GitHub] }).handler)
`

test('a CommonJS module requires a wrapper and a provider', () => {
  const args = ['--input-type=commonjs', '--eval', CODE]
  const output = execFileSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' })
  expect(output.trim()).toBe('function')
})
