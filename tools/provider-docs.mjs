// Writes docs/providers/<file>.md for each provider module, and the index docs/providers/README.md.
// A page comes from the built module, its TSDoc and tools/provider-notes/<file>.md; the end of the index from
// tools/ended-services.md. `--check` compares and writes nothing.
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { readIfExists, writeGenerated } from './generated-files.mjs'
import { iconSvg } from './icon-svg.mjs'

const ROOT = new URL('..', import.meta.url)
const FOLDERS = ['docs/providers', 'docs/images/providers']
const COMMAND = 'npm run docs:providers'

const TYPES = { oauth: 'OAuth 2.0', oidc: 'OpenID Connect', email: 'Magic link or code by e-mail' }

/** Options that providers require, besides those of their fixture. */
const CLIENT = { clientId: 'id', clientSecret: 'secret' }
const MAIL = { server: 'smtp://localhost', transactionalId: 'id' }

/** The name of the default export, and its TSDoc. */
function parseDocumentation(source) {
  const [, comment = '', exportName = ''] =
    /\/\*\*((?:(?!\*\/)[^])*)\*\/\s*export default function (\w+)/.exec(source) ?? []
  const text = comment.replace(/^[ \t]*\*? ?/gm, '').replace(/\{@link (\w+)\}/g, '`$1`')
  const [description = '', ...tags] = text.split(/^@(?=[a-z])/m).map((part) => part.trim())
  const values = (name) =>
    tags
      .filter((tag) => tag.startsWith(`${name} `) || tag.startsWith(`${name}\n`))
      .map((tag) => tag.slice(name.length).trim())
  const [example = ''] = values('example')
  return {
    exportName,
    description,
    see: values('see'),
    example,
    deprecated: values('deprecated')[0],
  }
}

/** The notes of a vendor: facts, what to do there, and a list of what is odd. */
function parseNotes(text) {
  const [comment = '', json = '{}'] = /^<!-- (\{.*\}) -->\n+/.exec(text) ?? []
  const body = text.slice(comment.length).trim()
  const list = body.search(/^- /m)
  const [steps, quirks] = list === -1 ? [body, ''] : [body.slice(0, list), body.slice(list)]
  return { ...JSON.parse(json), steps: steps.trim(), quirks: quirks.trim() }
}

/** The requested scope, with the default of the library for OpenID Connect. */
function findScope({ type, authorization }) {
  const params =
    typeof authorization === 'string'
      ? Object.fromEntries(new URL(authorization).searchParams)
      : authorization?.params
  return params?.scope ?? (type === 'oidc' ? 'openid profile email' : undefined)
}

function describeScope(scope) {
  if (scope === undefined) return 'The parameter is not sent'
  return scope === '' ? 'The parameter is sent without a value' : `\`${scope}\``
}

/** Environment variables that the library or the example reads. */
function listVariables({ id, type, client }, { options, documentation, quirks, steps }) {
  const words = id.replace(/([a-z0-9])([A-Z])/g, '$1_$2').replace(/[^\w]+/g, '_')
  const start = `AUTH_${words.toUpperCase()}_`
  const text = [documentation.description, documentation.example, steps, quirks].join('\n')
  const method = client?.token_endpoint_auth_method ?? 'client_secret_basic'
  const isClient = type !== 'email'
  const names = [
    isClient && `${start}ID`,
    isClient && method.startsWith('client_secret_') && `${start}SECRET`,
    isClient && options?.issuer !== undefined && `${start}ISSUER`,
    text.includes(`${start}KEY`) && `${start}KEY`,
    ...[...documentation.example.matchAll(/process\.env\.(\w+)/g)].map(([, name]) => name),
  ]
  return [...new Set(names.filter(Boolean))]
}

function describeEmail({ type, trustEmail }, { email }) {
  if (type === 'email')
    return 'Verified: the user opens a link, or enters a code, that was sent to it'
  if (typeof trustEmail === 'function')
    return 'Verified for the addresses above: `emailVerified` is set if the claim `email_verified` is `true`'
  if (trustEmail) return 'Verified: `emailVerified` is set if the claim `email_verified` is `true`'
  if (email === 'none') return 'Not reported'
  return 'Not considered verified (`trustEmail` is `false`)'
}

/** What an application must request, or set at the vendor, to receive refresh tokens. */
const CONDITION = /^(scope|parameter|setting):(.+)$/

/** The fact of the notes, unless the module requests the scope by default. */
function findRefreshCondition(provider, { refreshToken = 'unknown' }) {
  const [, kind, value] = CONDITION.exec(refreshToken) ?? []
  const isRequested = kind === 'scope' && findScope(provider)?.split(/[ ,]/).includes(value)
  return isRequested ? 'default' : refreshToken
}

/** Several parameters are separated by a comma. */
function nameCondition(kind, value) {
  if (kind === 'setting') return `setting _${value}_ at the vendor`
  const values = value.split(',').map((each) => `\`${each}\``)
  return `${kind}${values.length > 1 ? 's' : ''} ${values.join(' and ')}`
}

function describeRefreshToken(provider, notes) {
  const fact = findRefreshCondition(provider, notes)
  const [, kind, value] = CONDITION.exec(fact) ?? []
  if (kind) return `With the ${nameCondition(kind, value)}`
  const texts = { default: 'By default', never: 'Never' }
  return texts[fact] ?? UNKNOWN
}

/** The line that an application needs to receive refresh tokens. */
function refreshTokenSection(provider, { documentation: { exportName }, file, notes }) {
  const [, kind, value] = CONDITION.exec(findRefreshCondition(provider, notes)) ?? []
  if (!kind) return ''
  const head = '## Refresh token\n\n'
  if (kind === 'setting')
    return `${head}To receive refresh tokens, turn on _${value}_ in the settings of the application at the vendor.`
  const scope = `${findScope(provider) ?? ''} ${value}`.trim()
  const given =
    kind === 'scope' ? [['scope', scope]] : value.split(',').map((each) => each.split('='))
  const params = given.map(([name, text]) => `${name}: '${text}'`).join(', ')
  const line = `${exportName}({ authorization: { params: { ${params} } } })`
  const code = `import ${exportName} from 'lib-auth/providers/${file}'\n\nexport const providers = [${line}]`
  return `${head}To receive refresh tokens, write, with your other options:\n\n\`\`\`ts\n${code}\n\`\`\``
}

const UNKNOWN = '–'

/** Whether a refresh replaces the refresh token: `always`, `never`, `sometimes` or `optional`, and details after a colon. */
function describeRotation({ rotation }) {
  const [, word, details] = /^(always|never|sometimes|optional)(?:: (.+))?$/.exec(rotation) ?? []
  if (!word) return UNKNOWN
  const name = `${word[0].toUpperCase()}${word.slice(1)}`
  return details ? `${name}: ${details}` : name
}

/** The library calls a URL of the module; one of the notes needs a request of the application. */
function describeRevocation(provider, { revocation }) {
  const endpoint = provider.revocation
  if (typeof endpoint === 'string') return linkTo(endpoint)
  if (endpoint) return `${linkTo(endpoint.url)}, with the access token`
  const texts = { discovered: 'Discovered from the metadata of the provider', none: 'None' }
  if (revocation?.startsWith('https:')) return `Not by RFC 7009: ${linkTo(revocation)}`
  return texts[revocation] ?? UNKNOWN
}

/** How a refresh token behaves, for a provider that issues one. */
function refreshTokenFacts(provider, notes) {
  if (notes.refreshToken === 'never') return []
  return [
    ['Rotation', describeRotation(notes)],
    ['Lifetime', notes.lifetime ?? UNKNOWN],
    ['Revocation', describeRevocation(provider, notes)],
  ]
}

/** Where a user signs out at the provider, and what is special there. */
function describeSignOut({ endSession }, { logout }) {
  if (logout !== 'discovered') return { none: 'Not at the provider' }[logout] ?? UNKNOWN
  const { redirectParameter, returnsWithoutHint } = endSession ?? {}
  const specials = [
    redirectParameter && `the return URL is sent as \`${redirectParameter}\``,
    returnsWithoutHint === false &&
      'without the ID token of the session, it does not redirect back',
  ]
  return ['At the provider, discovered from its metadata', ...specials].filter(Boolean).join('; ')
}

/** Federated logout is part of OpenID Connect; of other providers, nothing is known. */
function logoutFacts(provider, notes) {
  if (provider.type !== 'oidc') return []
  return [
    ['Sign-out', describeSignOut(provider, notes)],
    ['Back channel', notes.backChannel ?? UNKNOWN],
    ['Front channel', notes.frontChannel ?? UNKNOWN],
  ]
}

/** The kinds of federated logout, for the index. */
function listLogout({ logout, backChannel, frontChannel }) {
  const kinds = [
    logout === 'discovered' && 'RP-initiated',
    logout === 'none' && 'no',
    backChannel && 'back-channel',
    frontChannel && 'front-channel',
  ]
  return kinds.filter(Boolean).join(', ')
}

const linkTo = (url) => (/^https?:/.test(url) ? `<${url}>` : url)

function table(head, rows) {
  const line = (cells) =>
    `| ${cells.map((cell) => cell.replaceAll('|', String.raw`\|`)).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

function facts(provider, { file, documentation, notes }) {
  const { id, type } = provider
  const callback = (path) => `\`https://<your site>${path}/callback/${id}\``
  const isClient = type !== 'email'
  return [
    ['Import', `\`import ${documentation.exportName} from 'lib-auth/providers/${file}'\``],
    ['Type', TYPES[type]],
    isClient && ['Callback URL', `${callback('/auth')}; with Next.js ${callback('/api/auth')}`],
    isClient && ['Scopes', describeScope(findScope(provider))],
    ['E-mail address', describeEmail(provider, notes)],
    isClient && ['Refresh token', describeRefreshToken(provider, notes)],
    ...(isClient ? refreshTokenFacts(provider, notes) : []),
    ...logoutFacts(provider, notes),
    notes.console &&
      !documentation.see.includes(notes.console) && ['Console', linkTo(notes.console)],
    ...documentation.see.map((url) => ['Documentation', linkTo(url)]),
  ].filter(Boolean)
}

function describeSteps({ type }, { console: place }) {
  if (type === 'email')
    return 'Create an account at the service, and register the domain of `from`.'
  const where = place ? `at ${linkTo(place)}` : 'at the vendor'
  return `Register your site as an application ${where}, with the callback URL above. Copy the client id and the client secret.`
}

/** A line such as `Discord (OAuth).` repeats the title and the type. */
function withoutTitle(description, name) {
  const [first = '', ...others] = description.split('\n\n')
  return first.startsWith(`${name} (`) && /^[^(]*\([^)]*\)\.$/.test(first)
    ? others.join('\n\n')
    : description
}

/** Modules of type `email` share the name that visitors see. */
function findTitle({ type, name }, { exportName }, notes) {
  return type === 'email' ? (notes.title ?? exportName) : name
}

/** The page of a provider: the module as its factory returns it, what its source documents, and the notes. */
function formatPage(provider, { file, options, documentation, notes }) {
  const name = findTitle(provider, documentation, notes)
  const deprecated = provider.deprecated ?? documentation.deprecated
  const variables = listVariables(provider, { options, documentation, ...notes })
  const parts = [
    `# ${name}`,
    `<!-- Generated by ${COMMAND} from src/providers/${file}.ts and tools/provider-notes/${file}.md. -->`,
    deprecated && `> Deprecated: ${deprecated}`,
    withoutTitle(documentation.description, name),
    table(['', ''], facts(provider, { file, documentation, notes })),
    '## Set up',
    notes.steps || describeSteps(provider, notes),
    variables.length > 0 && `Set these variables, for example in \`.env.local\`:`,
    variables.length > 0 && ['```ini', ...variables.map((each) => `${each}=`), '```'].join('\n'),
    documentation.example && `## Example\n\n${documentation.example}`,
    provider.type !== 'email' && refreshTokenSection(provider, { documentation, file, notes }),
    notes.quirks && `## Notes\n\n${notes.quirks}`,
    provider.type !== 'email' &&
      'To change an endpoint, the scope, the profile or another option, see [override options of a provider](../guides/override-provider.md).',
  ]
  return `${parts.filter(Boolean).join('\n\n')}\n`
}

function indexRow({ file, provider, documentation, notes, svg }) {
  const { type, trustEmail } = provider
  const name = findTitle(provider, documentation, notes)
  const button =
    { email: 'form' }[type] ??
    (svg
      ? `<img src="../images/providers/${file}.svg" alt="icon" width="20" height="20">`
      : 'initial')
  const isVerified = type === 'email' || trustEmail === true
  const refreshTokens = { default: 'yes', never: 'no', unknown: '' }
  const fact = findRefreshCondition(provider, notes)
  const [, kind, value] = CONDITION.exec(fact) ?? []
  const title = provider.deprecated ? `${name} (deprecated)` : name
  return [
    `[${title}](${file}.md)`,
    `\`${file}\``,
    button,
    TYPES[type],
    typeof trustEmail === 'function' ? 'own addresses' : isVerified ? 'yes' : 'no',
    refreshTokens[fact] ??
      `with ${kind === 'setting' ? value : `\`${value.replaceAll(',', '&')}\``}`,
    listLogout(notes),
  ]
}

function indexOf(entries) {
  const rows = entries.map(indexRow).toSorted(([a], [b]) => a.localeCompare(b, 'en'))
  return `# Providers

<!-- Generated by ${COMMAND}. -->

Each provider is a module: \`lib-auth/providers/<module>\`. \`npx lib-auth add <module>\` prints its page and prepares its environment variables.
A provider that is not listed needs a few lines: see [custom provider](../guides/custom-provider.md). For passwords, see
[credentials](../guides/credentials.md), and for passkeys [passkeys](../guides/passkeys.md).

_Button_: what the sign-in page shows next to the name ([icons](../guides/custom-sign-in-page.md#buttons-of-providers)); providers of type \`email\` have a
form. _E-mail verified_: whether the library considers the address of a user verified if the provider reports it as verified; _own addresses_: if the provider hosts it, too. _Refresh tokens_:
whether the provider issues one by default, or with an additional scope, parameter or setting; empty if that is unknown. _Federated logout_: which kinds of
[sign-out at the provider](../guides/federated-logout.md) its documentation describes; empty if that is unknown.

${table(['Provider', 'Module', 'Button', 'Type', 'E-mail verified', 'Refresh tokens', 'Federated logout'], rows)}

${readIfExists('tools/ended-services.md')}`
}

async function load(file) {
  const fixture = JSON.parse(readIfExists(`test/providers/fixtures/${file}.json`) || '{}')
  const options = { ...(fixture.type ? CLIENT : MAIL), ...fixture.options }
  const { default: factory } = await import(new URL(`dist/providers/${file}.js`, ROOT).href)
  const provider = factory(options)
  const documentation = parseDocumentation(readIfExists(`src/providers/${file}.ts`))
  const notes = parseNotes(readIfExists(`tools/provider-notes/${file}.md`))
  const svg = await iconSvg(provider)
  return { file, options: fixture.options, provider, documentation, notes, svg }
}

/** The text of each page by its file name. */
async function generate() {
  const files = readdirSync(new URL('src/providers', ROOT))
    .filter((file) => !/^(?:_|(?:index|credentials|passkey|webauthn)\.)/.test(file))
    .map((file) => file.replace('.ts', ''))
  const entries = await Promise.all(files.map(load))
  const pages = entries.map((entry) => [
    `${FOLDERS[0]}/${entry.file}.md`,
    formatPage(entry.provider, entry),
  ])
  const icons = entries.flatMap(({ file, svg }) =>
    svg ? [[`${FOLDERS[1]}/${file}.svg`, svg]] : [],
  )
  return new Map([[`${FOLDERS[0]}/README.md`, indexOf(entries)], ...pages, ...icons])
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeGenerated(await generate(), { folders: FOLDERS, command: COMMAND })
