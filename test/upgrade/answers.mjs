// node test/upgrade/answers.mjs <folder>: prints what the built package answers with the configurations of the folder.
import { mkdirSync, readdirSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { Auth } from 'lib-auth'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const folder = resolve(process.argv[2] ?? '')
// Below the repository, so that the name of the package is found.
const outdir = join(ROOT, '.cache/upgrade', basename(join(folder, '..')))
const BASE = 'https://app.test/auth'
const headers = { 'sec-fetch-site': 'same-origin', accept: 'text/html', origin: 'https://app.test' }

/** With the method, and fields if it is POST. */
const REQUESTS = [
  ['GET', 'csrf'],
  ['GET', 'providers'],
  ['GET', 'session'],
  ['GET', 'signin'],
  ['GET', 'signin?error=CredentialsSignin'],
  ['GET', 'signout'],
  ['GET', 'error?error=AccessDenied'],
  ['GET', 'verify-request'],
  ['GET', 'callback/github?code=x&state=y'],
  ['GET', 'unknown'],
  ['PUT', 'csrf'],
  ['POST', 'signin/github', {}],
  ['POST', 'callback/credentials', { username: 'ada', password: 'wrong' }],
  ['POST', 'callback/credentials', { username: 'ada', password: 'right' }],
  ['POST', 'signout', {}],
]

/** Without what is random. */
const mask = (text) => text.replaceAll(/[\w-]{32,}/g, '…')

async function describe(response) {
  const type = response.headers.get('content-type')
  const text = await response.text()
  const title = /<h1>(.*?)<\/h1>/s.exec(text)?.[1]?.trim()
  const cookies = response.headers
    .getSetCookie()
    .map((cookie) => cookie.split('=')[0].replace(/\.[0-9a-f]{8}$/, '.…'))
  return {
    status: response.status,
    location: mask(response.headers.get('location') ?? ''),
    type,
    cookies: cookies.toSorted(),
    ...(title && { title }),
    ...(type?.includes('json') && { json: mask(text) }),
  }
}

async function answer(config, [method, path, fields]) {
  const given = (request) => (typeof config === 'function' ? config(request) : config)
  const send = async (request) =>
    Auth(request, { ...(await given(request)), logger: { error() {}, warn() {}, debug() {} } })
  if (!fields) return describe(await send(new Request(`${BASE}/${path}`, { method, headers })))
  const asked = await send(new Request(`${BASE}/csrf`, { headers }))
  const cookie = asked.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ')
  const { csrfToken } = await asked.json()
  const body = new URLSearchParams({ csrfToken, ...fields })
  return describe(
    await send(
      new Request(`${BASE}/${path}`, { method: 'POST', headers: { ...headers, cookie }, body }),
    ),
  )
}

mkdirSync(outdir, { recursive: true })
const files = readdirSync(folder)
  .filter((file) => file.endsWith('.ts'))
  .toSorted()
await build({
  entryPoints: files.map((file) => join(folder, file)),
  bundle: true,
  packages: 'external',
  format: 'esm',
  outExtension: { '.js': '.mjs' },
  outdir,
})
const answers = {}
for (const file of files) {
  const { config } = await import(pathToFileURL(join(outdir, file.replace('.ts', '.mjs'))).href)
  const own = {}
  for (const request of REQUESTS) {
    const [method, path, fields] = request
    own[[method, path, ...Object.values(fields ?? {})].join(' ')] = await answer(config, request)
  }
  answers[file] = own
}
console.log(JSON.stringify(answers, null, 2))
