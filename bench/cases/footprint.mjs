// Costs of a new process: time to load and to respond once, time of the first sign-in, and bytes of a bundle.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { encode as peerEncode } from '@auth/core/jwt'
import { build } from 'esbuild'
import { encode } from 'lib-auth/jwt'

const HERE = fileURLToPath(new URL('..', import.meta.url))
const RUNS = 15
const packages = { 'lib-auth': 'lib-auth', '@auth/core': '@auth/core' }

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
}

/** A process that loads the package, answers one request, and prints how many milliseconds that took. */
function coldStart(name) {
  const script = `
    const begin = performance.now()
    const { Auth } = await import('${name}')
    const { default: GitHub } = await import('${name}/providers/github')
    const config = {
      providers: [GitHub({ clientId: 'id', clientSecret: 'secret' })],
      secret: 'thirty-two bytes for a benchmark, or more',
      trustHost: true,
    }
    const response = await Auth(new Request('https://app.test/auth/providers'), config)
    if (!(await response.json()).github) throw new Error('wrong answer')
    console.log(performance.now() - begin)`
  const args = ['--input-type=module', '--eval', script]
  return Number(execFileSync(process.execPath, args, { cwd: HERE, encoding: 'utf8' }))
}

/**
 * A process that has issued a CSRF token, and prints the milliseconds of both requests of the first sign-in at a provider.
 * Before each of them it is idle, as while a user looks at the sign-in page, or is at the provider.
 *
 * @param issuerFile the bundled test issuer, so that it shares no module with `lib-auth`
 */
function firstSignIn(name, issuerFile) {
  const script = `
    import { Auth, customFetch } from '${name}'
    import { setTimeout as idle } from 'node:timers/promises'
    import { issuer } from '${pathToFileURL(issuerFile).href}'
    const op = await issuer()
    const config = {
      providers: [{
        id: 'op', name: 'OP', type: 'oidc', issuer: op.url, clientId: op.clientId,
        clientSecret: op.clientSecret, checks: ['pkce', 'state', 'nonce'], [customFetch]: op.fetch,
      }],
      secret: 'thirty-two bytes for a benchmark, or more',
      trustHost: true,
    }
    const cookiesOf = (response) =>
      response.headers.getSetCookie().map((each) => each.split(';', 1)[0]).join('; ')
    const csrf = await Auth(new Request('https://app.test/auth/csrf'), config)
    const cookie = cookiesOf(csrf)
    const body = new URLSearchParams(await csrf.json())
    const start = new Request('https://app.test/auth/signin/op', { method: 'POST', headers: { cookie }, body })
    await idle(100)
    const first = performance.now()
    const begun = await Auth(start, config)
    const firstTime = performance.now() - first
    const { url } = await op.authorize(begun.headers.get('location'))
    const back = new Request(url, { headers: { cookie: cookie + '; ' + cookiesOf(begun) } })
    await idle(100)
    const second = performance.now()
    const response = await Auth(back, config)
    const time = firstTime + performance.now() - second
    if (!cookiesOf(response).includes('session-token=')) throw new Error('no session')
    console.log(time)`
  const args = ['--input-type=module', '--eval', script]
  return Number(execFileSync(process.execPath, args, { cwd: HERE, encoding: 'utf8' }))
}

async function firstSignIns() {
  const folder = mkdtempSync(join(tmpdir(), 'lib-auth-bench-'))
  const outfile = join(folder, 'issuer.mjs')
  const contents = "export { issuer } from 'lib-auth/testing'"
  const options = { bundle: true, format: 'esm', platform: 'node', outfile }
  await build({ stdin: { contents, resolveDir: HERE }, ...options })
  try {
    return processes((name) => firstSignIn(name, outfile))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const tokens = {
  'lib-auth': { cookie: '__Host-lib.session-token', seal: encode },
  '@auth/core': { cookie: '__Secure-authjs.session-token', seal: peerEncode },
}

/** Bundles an application that answers a session, and prints the milliseconds since Node.js started. */
async function bundleApplication(name, outfile) {
  const { cookie, seal } = tokens[name]
  const secret = 'thirty-two bytes for a benchmark, or more'
  const claims = { sub: '1', name: 'Ada Lovelace', email: 'ada@example.com' }
  const token = await seal({ token: claims, secret, salt: cookie })
  const contents = `
    import { Auth } from '${name}'
    import GitHub from '${name}/providers/github'
    const config = {
      providers: [GitHub({ clientId: 'id', clientSecret: 'secret' })],
      secret: '${secret}',
      trustHost: true,
    }
    const headers = { cookie: '${cookie}=${token}' }
    const response = await Auth(new Request('https://app.test/auth/session', { headers }), config)
    if ((await response.json())?.user.name !== 'Ada Lovelace') throw new Error('wrong answer')
    console.log(performance.now())`
  const options = { bundle: true, minify: true, format: 'esm', platform: 'node', outfile }
  await build({ stdin: { contents, resolveDir: HERE }, ...options })
}

async function bundledColdStarts() {
  const folder = mkdtempSync(join(tmpdir(), 'lib-auth-bench-'))
  const fileOf = (name) => join(folder, `${name.replace('/', '-')}.mjs`)
  try {
    for (const name of Object.keys(packages)) await bundleApplication(name, fileOf(name))
    return processes((name) =>
      Number(execFileSync(process.execPath, [fileOf(name)], { encoding: 'utf8' })),
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Medians of the milliseconds that `run` returns for each package, in turn. */
function processes(run) {
  const names = Object.keys(packages)
  const times = Object.fromEntries(names.map((name) => [name, []]))
  for (let round = 0; round < RUNS; round++) for (const name of names) times[name].push(run(name))
  return Object.fromEntries(
    names.map((name) => [
      name,
      {
        microseconds: median(times[name]) * 1000,
        ratio: median(times[name].map((time, round) => time / times['lib-auth'][round])),
      },
    ]),
  )
}

const handler = (name) =>
  `export { Auth } from '${name}'; export { default } from '${name}/providers/github'`
const tokenReader = (name) => `export { getToken } from '${name}/jwt'`

/**
 * Gzipped bytes of a program, minified.
 *
 * @param what `all`: everything that can be loaded. `start`: what is loaded before the first request, where
 * the bundler keeps dynamic imports apart
 */
async function bundleSize(program, what) {
  const { outputFiles, metafile } = await build({
    stdin: { contents: program, resolveDir: HERE },
    bundle: true,
    splitting: what === 'start',
    metafile: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    outdir: HERE,
    write: false,
  })
  const outputs = Object.entries(metafile.outputs)
  const [entry] = outputs.find(([, { entryPoint }]) => entryPoint === '<stdin>')
  const loaded = new Set([entry])
  for (const path of loaded)
    for (const { kind, path: next } of metafile.outputs[path].imports)
      if (kind === 'import-statement' && next in metafile.outputs) loaded.add(next)
  const files = outputFiles.filter(({ path }) => [...loaded].some((each) => path.endsWith(each)))
  return files.reduce((sum, { contents }) => sum + gzipSync(contents, { level: 9 }).length, 0)
}

async function bundles(program, what) {
  const sizes = {}
  for (const name of Object.keys(packages)) sizes[name] = await bundleSize(program(name), what)
  return Object.fromEntries(
    Object.entries(sizes).map(([name, bytes]) => [
      name,
      { bytes, ratio: bytes / sizes['lib-auth'] },
    ]),
  )
}

export const cases = [
  { name: 'cold start', aim: { peer: 1 / 0.75 }, run: async () => processes(coldStart) },
  { name: 'cold start, bundled', aim: { peer: 1 / 0.9 }, run: bundledColdStarts },
  { name: 'first sign-in of a process', aim: { peer: 1 / 0.9 }, run: firstSignIns },
  {
    name: 'bundle, core and one provider (gzip)',
    aim: { peer: 1 },
    run: () => bundles(handler, 'all'),
  },
  { name: 'bundle before the first request (gzip)', run: () => bundles(handler, 'start') },
  {
    name: 'bundle, getToken alone (gzip)',
    aim: { peer: 1 },
    run: () => bundles(tokenReader, 'all'),
  },
]
