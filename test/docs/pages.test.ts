/** docs/pages.json: the list of pages of the site, and how each of them is tested. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import {
  FIRST_RELEASE,
  frozenRoutes,
  listDocuments,
  manifest,
  readPages,
  redirects,
  sidebar,
  sinceText,
} from '../../tools/site-pages.mjs'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const pages = readPages()

const KINDS = ['tutorial', 'how-to', 'reference', 'explanation']

/** `follow`: a test runs the code of the page. `symptom`: a test causes the failure that the page describes. */
const PROOFS = ['compile', 'follow', 'output', 'symptom', 'generated']

/** The TypeScript of a folder, without installed packages. */
function sourcesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : sourcesIn(path)
    return entry.name.endsWith('.ts') ? [readFileSync(path, 'utf8')] : []
  })
}

test('lists every document once', () => {
  const written = pages.filter(({ group }) => group !== 'API')
  expect(new Set(written.map(({ file }) => file))).toEqual(new Set(listDocuments()))
  expect(new Set(pages.map(({ route }) => route)).size).toBe(pages.length)
})

test('gives each page a kind, and names proofs that exist', () => {
  for (const { group, kind, pages: entries } of manifest) {
    expect(KINDS, group).toContain(kind)
    for (const { route, tests } of entries)
      expect(PROOFS, route).toEqual(expect.arrayContaining(tests))
  }
})

test('names compile for exactly the documents with TypeScript', () => {
  for (const { route, body, tests } of pages) {
    // A group of pages has one entry: some of its pages have no code.
    if (/^(?:api\b|decisions\/|errors\/|providers\/)/.test(route)) continue
    expect([route, tests.includes('compile')]).toEqual([route, /^ *```tsx?$/m.test(body)])
  }
})

test('names a test that follows a page, prints its output or causes its symptom only if one opens the page', () => {
  const sources = sourcesIn(join(ROOT, 'test')).join('\n')
  const opened = new Set(sources.match(/docs\/[\w/-]+\.md/g))
  for (const [, name] of sources.matchAll(/openGuide\('([\w-]+)'\)/g))
    opened.add(`docs/guides/${name}.md`)
  for (const { file, tests } of pages)
    if (tests.some((proof) => ['follow', 'output', 'symptom'].includes(proof)))
      expect([...opened]).toContain(`docs/${file}`)
})

test('states what no test runs for each page about deployment whose code is not followed', () => {
  const deployment = manifest.find(({ group }) => group === 'Deployment')?.pages ?? []
  expect(deployment.length).toBeGreaterThan(0)
  for (const { route, tests, notRun } of deployment)
    expect([route, Boolean(notRun)]).toEqual([route, !tests.includes('follow')])
})

/** Routes of releases without a page or a redirect, and redirects that lead from a page or to none. */
function findDead(
  routes: ReadonlySet<string>,
  released: readonly string[],
  moved: Readonly<Record<string, string>>,
): string[] {
  const lost = released.filter((route) => !routes.has(route) && moved[route] === undefined)
  const wrong = Object.entries(moved).filter(
    ([old, route]) => routes.has(old) || !routes.has(route),
  )
  return [...lost, ...wrong.map(([old]) => old)]
}

/** The sections of the changelog, the newest first: versions, and perhaps `Unreleased`. */
const sections = [...readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8').matchAll(/^## (\S+)/gm)].map(
  ([, name]) => name,
)

/** Until the changelog has a section above that of a release, its documentation may change. */
const releases = frozenRoutes().filter(({ version }) => version !== sections[0])

test('each route of a release has a page, or a redirect in docs/redirects.json', () => {
  const routes = new Set(pages.map(({ route }) => route))
  const released = releases.flatMap((release) => release.routes)
  expect(findDead(routes, released, redirects)).toEqual([])
})

test.each([
  ['a removed page', ['a', 'gone'], {}, ['gone']],
  ['a removed page with a redirect', ['a', 'gone'], { gone: 'b' }, []],
  ['a redirect to a page that does not exist', ['a'], { gone: 'c' }, ['gone']],
  ['a redirect from a page that exists', ['a'], { a: 'b' }, ['a']],
])('%s', (_name, released, moved, dead) => {
  expect(findDead(new Set(['a', 'b']), released, moved)).toEqual(dead)
})

test('since names the section of the changelog of the first release that has the page', () => {
  const entries = manifest.flatMap((group) => group.pages)
  for (const { route, since = FIRST_RELEASE } of entries) {
    expect(sections, route).toContain(since)
    if (route.includes('*') || Object.values(redirects).includes(route)) continue
    const first = releases.findLast((release) => release.routes.includes(route))
    if (first) expect([route, since]).toEqual([route, first.version])
    else expect(releases.map(({ version }) => version)).not.toContain(since)
  }
})

test('a page that the first release did not have says since when it exists', () => {
  expect(sinceText()).toBe('')
  expect(sinceText('0.2.0')).toBe('*Since lib-auth 0.2.0.*\n\n')
  expect(sinceText('Unreleased')).toBe('*Not released yet.*\n\n')
})

test('the list of documents in the repository links each of them', () => {
  const contents = readFileSync(join(ROOT, 'docs/README.md'), 'utf8')
  const links = new Set([...contents.matchAll(/\]\(([^)#]+)/g)].map(([, link]) => link))
  const missing = listDocuments().filter(
    (file) => !links.has(file) && (!file.startsWith('providers/') || file.endsWith('README.md')),
  )
  expect(missing).toEqual([])
})

test.each([
  ['roles', /\broles\b/i],
  ['fields of the session', /add fields to the session/i],
  ['a typed session', /typed sessions?/i],
  ['a sign-in page of your own', /custom sign-in page/i],
  ['credentials', /\bcredentials\b/i],
  ['the API of a provider', /API of a provider/],
  ['listing and ending sessions', /sign out everywhere, and list sessions/i],
  ['logout at the provider', /logout.*provider/i],
  ['linking and unlinking', /link and unlink/i],
  ['invite only', /invite only/i],
  ['several tenants', /several tenants/i],
  ['end-to-end tests', /end-to-end tests/i],
  ['deployment', /^deployment: /i],
  ['rate limits', /rate limits/i],
  ['passkeys', /^passkeys/i],
  ['password reset', /password reset/i],
  ['a second factor', /second factor/i],
  ['the session strategy', /session strategy/i],
  ['staying signed in', /keep me signed in/i],
  ['key rotation', /Rotate AUTH_SECRET/],
  ['useSession', /useSession/],
  ['i18n', /i18n/],
  ['an adapter of your own', /write your own adapter/i],
  ['migrations', /migrate the database/i],
])('the sidebar names %s', (_task, title) => {
  const titles = new Map(pages.map(({ route, title: own }) => [route, own]))
  const guides = sidebar(pages).filter(({ label }) => !/API|Errors|Providers|Decisions/.test(label))
  const shown = guides.flatMap(({ items }) => items.map((route: string) => titles.get(route) ?? ''))
  expect(shown.filter((each) => title.test(each))).not.toEqual([])
})
