// Runs other programs, to completion or in the background.
import { spawn } from 'node:child_process'

/**
 * Runs a program; resolves with its output, rejects with it when it fails.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions} [options]
 * @returns {Promise<string>}
 */
export function run(command, args, { cwd, env, stdio = 'pipe', uid, gid } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio, uid, gid })
    let output = ''
    child.stdout?.on('data', (chunk) => (output += chunk))
    child.stderr?.on('data', (chunk) => (output += chunk))
    child.once('error', reject)
    // On `exit`, the last output may not have been read yet.
    child.once('close', (code) =>
      code === 0
        ? resolve(output)
        : reject(new Error(`${command} ${args.join(' ')} ended with ${code}.\n${output}`)),
    )
  })
}

/** Starts a program in the background; `stop` ends it and resolves when it has exited. */
export function start(command, args, { cwd, env, uid, gid } = {}) {
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    uid,
    gid,
  })
  const state = { output: '', code: undefined }
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => (state.output = (state.output + chunk).slice(-20_000)))
  const gone = new Promise((resolve) => {
    child.once('exit', (code) => {
      state.code = code ?? 1
      resolve(state.code)
    })
    child.once('error', (error) => {
      state.output += error.message
      state.code = 1
      resolve(1)
    })
  })
  return {
    gone,
    output: () => state.output,
    hasEnded: () => state.code !== undefined,
    pid: child.pid,
    signal: (signal) => child.kill(signal),
    async stop(signal = 'SIGTERM') {
      if (state.code === undefined) child.kill(signal)
      const timer = setTimeout(() => child.kill('SIGKILL'), 5000)
      await gone
      clearTimeout(timer)
    },
  }
}

/** Resolves when the URL responds; rejects when its program ends first, or after a timeout. */
export async function waitForServer(url, program, { within = 170_000 } = {}) {
  const end = Date.now() + within
  while (Date.now() < end) {
    if (program?.hasEnded()) throw new Error(`The server of ${url} ended.\n${program.output()}`)
    try {
      await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(2000) })
      return
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  throw new Error(
    `${url} did not respond within ${within / 1000} seconds.\n${program?.output() ?? ''}`,
  )
}

/**
 * Keeps servers running until Ctrl-C, then stops them and ends this process; if one of them ends by itself, prints
 * their output.
 */
export async function untilCtrlC({ ended, stop, output }) {
  let isStopping = false
  const end = async (code) => {
    if (isStopping) return
    isStopping = true
    await stop()
    process.exit(code)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void end(0))
  await ended
  if (isStopping) return
  console.error(`One of the servers ended.\n${output()}`)
  await end(1)
}
