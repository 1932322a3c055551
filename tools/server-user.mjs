// The user that database servers run as: they refuse to run as root. Files that only root can read are not readable for this user.
import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'

/** `uid` and `gid` for a server: root starts servers as user 65534; empty for every other user. */
export const SERVER_USER = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

/** Whether the server user can run a program. Runs it, because access lists and mounts have an effect, too. */
function canRun(program, args) {
  return spawnSync(program, args, { ...SERVER_USER, cwd: '/' }).status === 0
}

/** Creates an empty folder that only the server user may read, below a folder which that user may enter. */
export function serverFolder(name) {
  const parents = [...new Set([tmpdir(), '/tmp', '/var/tmp', '/dev/shm'])]
  for (const parent of parents) {
    const folder = mkdtempSync(join(parent, `lib-auth-${name}-`))
    if (SERVER_USER.uid === undefined) return folder
    chownSync(folder, SERVER_USER.uid, SERVER_USER.gid)
    chmodSync(folder, 0o700)
    if (canRun('test', ['-w', folder])) return folder
    rmSync(folder, { recursive: true })
  }
  throw new Error(`User ${SERVER_USER.uid} can enter none of ${parents.join(', ')}; set TMPDIR.`)
}

/**
 * Returns a folder whose `program` the server user can run: `programs`, or a copy below `folder` if only root can enter
 * the path. The copy includes the folders next to `programs` (`lib`, `share`).
 */
export function runnablePrograms(programs, program, folder) {
  if (canRun(join(programs, program), ['--version'])) return programs
  const copy = join(folder, 'installed')
  cpSync(dirname(programs), copy, { recursive: true, verbatimSymlinks: true })
  // Copied folders keep their mode, and may be private themselves.
  const { status, stderr } = spawnSync('chmod', ['-R', 'a+rX', copy], { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return join(copy, basename(programs))
}
