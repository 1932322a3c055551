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

const RIGHT = { username: 'ada', password: 'right' }
const JSON_ONLY = { accept: 'application/json' }
/** Of `lib-auth/client`. */
const CLIENT = { ...JSON_ONLY, 'x-auth-return-redirect': '1' }
const CROSS_SITE = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.test' }
const signedIn = true
const json = (value) => ({ body: JSON.stringify(value), type: 'application/json' })

/** With the method, fields if it is POST, and how it is sent. */
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
  ['POST', 'callback/credentials', RIGHT],
  ['POST', 'signout', {}],
  ['GET', 'csrf', null, { signedIn }],
  ['GET', 'providers', null, { signedIn }],
  ['GET', 'session', null, { signedIn }],
  ['GET', 'signin', null, { signedIn }],
  ['GET', 'signout', null, { signedIn }],
  ['POST', 'signout', {}, { signedIn }],
  ['POST', 'signout', {}, { signedIn, headers: CLIENT }],
  ['POST', 'signout', {}, { signedIn, headers: CROSS_SITE }],
  ['POST', 'session', { data: { role: 'admin' } }, { signedIn, isJson: true }],
  ['POST', 'session', null, { signedIn, ...json({ data: {} }) }],
  ['POST', 'session', { data: {} }, { isJson: true }],
  ['POST', 'signin/nodemailer', { email: 'not an address' }],
  ['POST', 'signin/nodemailer', { email: 'ada@example.com' }],
  ['GET', 'callback/nodemailer?token=x&email=ada%40example.com'],
  ['GET', 'verify-request?provider=nodemailer&type=email'],
  ['GET', 'webauthn-options/passkey', null, { headers: JSON_ONLY }],
  ['GET', 'webauthn-options/passkey?action=register&email=ada%40example.com'],
  ['POST', 'callback/passkey', { action: 'authenticate', data: '{}' }],
  ['GET', 'password/forgot'],
  ['POST', 'callback/password', { email: 'ada@example.com', password: 'wrong' }],
  ['GET', 'step-up', null, { signedIn }],
  ['POST', 'callback/credentials', RIGHT, { isJson: true }],
  ['POST', 'callback/credentials', RIGHT, { headers: CLIENT }],
  ['POST', 'callback/credentials', { username: 'ada' }, { headers: CLIENT }],
  ['POST', 'callback/credentials', null, json(RIGHT)],
  ['POST', 'callback/credentials', null, { body: '{', type: 'application/json' }],
  ['POST', 'callback/credentials', null, { body: 'ada', type: 'text/plain' }],
  ['POST', 'callback/credentials', null, json('x'.repeat(66_000))],
  ['POST', 'signin/github', {}, { headers: CLIENT }],
  ['POST', 'signin/github', null, json({})],
  ['POST', 'signin/unknown', {}],
  ['GET', 'signin/github'],
  ['GET', 'callback/github?error=access_denied&state=y', null, { headers: JSON_ONLY }],
  ['GET', 'error?error=Configuration'],
  ['GET', 'unknown', null, { headers: JSON_ONLY }],
  ['HEAD', 'session'],
  ['HEAD', 'signin'],
  ['OPTIONS', 'session'],
  ['DELETE', 'session', null, { headers: JSON_ONLY }],
]

/** Later releases look requests up by these names. */
const nameOf = ([method, path, fields, how]) =>
  [
    method,
    path,
    ...Object.values(fields ?? {}).map((value) =>
      typeof value === 'string' ? value : JSON.stringify(value),
    ),
    ...(how ? [JSON.stringify(how).slice(0, 80)] : []),
  ].join(' ')

/** Without what is random, and times. */
const mask = (text) =>
  text.replaceAll(/[\w-]{32,}/g, '…').replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '…')

/** Those that a response must not lose. */
const HEADERS = [
  'allow',
  'cache-control',
  'content-security-policy',
  'referrer-policy',
  'vary',
  'x-content-type-options',
  'x-frame-options',
  'x-robots-tag',
]

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
    headers: HEADERS.filter((name) => response.headers.has(name)).join(' '),
  }
}

/** The cookies after a response, as a header. */
function merge(cookie, response) {
  const jar = new Map(cookie.split('; ').map((each) => each.split(/=(.*)/s)))
  for (const each of response.headers.getSetCookie()) {
    const [name, value] = each.split(';')[0].split(/=(.*)/s)
    if (value) jar.set(name, value)
    else jar.delete(name)
  }
  return [...jar].flatMap(([name, value]) => (name ? `${name}=${value}` : [])).join('; ')
}

async function answer(config, [method, path, fields, how = {}]) {
  const given = (request) => (typeof config === 'function' ? config(request) : config)
  const send = async (request) =>
    Auth(request, { ...(await given(request)), logger: { error() {}, warn() {}, debug() {} } })
  let cookie = ''
  async function post(route, values, { isJson, headers: own } = {}) {
    const asked = await send(new Request(`${BASE}/csrf`, { headers: { ...headers, cookie } }))
    cookie = merge(cookie, asked)
    const all = { csrfToken: (await asked.json()).csrfToken, ...values }
    const { body, type } = isJson ? json(all) : { body: new URLSearchParams(all) }
    const sent = { ...headers, ...(type && { 'content-type': type }), ...own, cookie }
    return send(new Request(`${BASE}/${route}`, { method: 'POST', headers: sent, body }))
  }
  if (how.signedIn) cookie = merge(cookie, await post('callback/credentials', RIGHT))
  if (fields) return describe(await post(path, fields, how))
  const { body, type } = how
  const sent = { ...headers, ...(type && { 'content-type': type }), ...how.headers, cookie }
  const init = { method, headers: sent, ...(body && { body }) }
  return describe(await send(new Request(`${BASE}/${path}`, init)))
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
  for (const request of REQUESTS) own[nameOf(request)] = await answer(config, request)
  answers[file] = own
}
console.log(JSON.stringify(answers))
