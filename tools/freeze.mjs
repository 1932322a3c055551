// npm run freeze -- <version>: writes test/upgrade/<version>, what this build has stored in browsers and databases. Tests
// of later releases read it. A released folder is never changed. With next-auth-5, it writes what that library has stored.
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const [version = ''] = process.argv.slice(2)
const isOwn = version !== 'next-auth-5'
if (isOwn && !/^\d+\.\d+\.\d+(?:-rc\.\d+)?$/.test(version)) {
  console.error('Usage: npm run freeze -- <version>, such as 0.2.0')
  process.exit(2)
}
const { version: current } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8'))
if (isOwn && version !== current) {
  console.error(
    `package.json has version ${current}. Run first: npm version ${version} --no-git-tag-version`,
  )
  process.exit(1)
}
const tags = execFileSync('git', ['tag', '--list', `v${version}`], { cwd: ROOT, encoding: 'utf8' })
if (tags.trim() !== '') {
  console.error(`v${version} is released, and what it has written does not change.`)
  process.exit(1)
}
const COMMIT = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).trim()
const args = [
  'node_modules/vitest/vitest.mjs',
  'run',
  '--project',
  'freeze',
  isOwn ? 'freeze.run' : 'freeze-next-auth.run',
]
const env = { ...process.env, VERSION: version, COMMIT, DIST: `${ROOT}dist` }
process.exitCode =
  spawnSync(process.execPath, args, { cwd: ROOT, env, stdio: 'inherit' }).status ?? 1
