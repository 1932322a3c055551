/** The icons of the provider modules, and the buttons that contain them. */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { describe, expect, test } from 'vitest'
import type { OAuthProviderButtonStyles, ProviderIcon } from '../../src/core/config/button.ts'
import type { Provider } from '../../src/core/config/provider.ts'
import type { Theme } from '../../src/core/pages/theme.ts'
import Google from '../../src/providers/google.ts'
import GitHub from '../../src/providers/github.ts'
import Slack from '../../src/providers/slack.ts'
import { browser } from '../../src/testing/index.ts'
import { SECRET, silentLog } from '../config.ts'
import { factoryOf, fixtures } from './catalogue.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const ICONS = readdirSync(`${ROOT}src/providers/_icons`).map((file) => file.replace('.ts', ''))
const MAX_BYTES = 1024

const client = { clientId: 'id', clientSecret: 'secret' }

function site(providers: Provider[], theme: Theme = {}) {
  const { log, logger } = silentLog()
  const config = { providers, theme, secret: SECRET, trustHost: true, logger }
  return { log, request: async (path: string) => (await browser(config).request(path)).text() }
}

/** The text of the sign-in page. */
const signInPage = (provider: Provider) => site([provider]).request('signin')

async function bundle(file: string) {
  const { outputFiles, metafile } = await build({
    entryPoints: [file],
    absWorkingDir: ROOT,
    bundle: true,
    minify: true,
    metafile: true,
    write: false,
    format: 'esm',
    splitting: true,
    outdir: 'unused',
  })
  const entry = Object.values(metafile.outputs).find((each) => each.entryPoint === file)
  return { inputs: Object.keys(entry?.inputs ?? {}), contents: outputFiles[0]?.contents ?? '' }
}

test('the icons are up to date', () => {
  const program = `${ROOT}tools/provider-icons.mjs`
  const { status, stderr } = spawnSync(process.execPath, [program, '--check'], { encoding: 'utf8' })
  expect(stderr).toBe('')
  expect(status).toBe(0)
})

describe.each(ICONS)('the icon %s', (name) => {
  test('adds at most 1 kB to a bundle', async () => {
    const { contents } = await bundle(`src/providers/_icons/${name}.ts`)
    expect(gzipSync(contents).length).toBeLessThanOrEqual(MAX_BYTES)
  })

  test('consists of paths', async () => {
    const { paths }: ProviderIcon = await import(`../../src/providers/_icons/${name}.ts`)
    expect(paths).not.toEqual([])
    for (const { d, fill = '#000000' } of paths) {
      expect(d).toMatch(/^[MLHVCSQTAZ\d\s.,-]+$/i)
      expect(fill).toMatch(/^#[\da-f]{6}$/)
    }
  })
})

describe.each([...fixtures])('the button of %s', (module, { name, options }) => {
  test('shows an icon or the initial', async () => {
    const factory = await factoryOf(module)
    const provider = factory({ issuer: 'https://op.test', ...options, ...client })
    const page = await signInPage(provider)
    const hasIcon = readFileSync(`${ROOT}src/providers/${module}.ts`, 'utf8').includes('_icons/')
    expect(page).toMatch(
      hasIcon || module === 'azure-ad'
        ? /<svg class="badge icon" viewBox="0 0 24 24" aria-hidden="true"><path d="M/i
        : new RegExp(`aria-hidden="true">${name.charAt(0).toUpperCase()}</span>`),
    )
  })
})

describe('an icon', () => {
  test('is not in the file of its provider module', async () => {
    const { inputs } = await bundle('src/providers/github.ts')
    expect(inputs).toEqual([
      'src/core/flows/oauth/account-id.ts',
      'src/providers/_subpath.ts',
      'src/providers/github.ts',
    ])
  })

  test('is loaded by the sign-in page only', async () => {
    let loads = 0
    const icon = () => {
      loads += 1
      return { paths: [{ d: 'M0 0h1z' }] }
    }
    const { request } = site([GitHub({ ...client, style: { icon } })])
    for (const path of ['session', 'providers', 'csrf', 'signout', 'error', 'verify-request'])
      await request(path)
    expect(loads).toBe(0)
    expect(await request('signin')).toContain('<path d="M0 0h1z" /></svg>')
    expect(loads).toBe(1)
  })

  test.each<[string, OAuthProviderButtonStyles]>([
    ['another id', {}],
    ['another colour', { brandColor: '#123456' }],
  ])('is kept with %s', async (_name, style) => {
    const page = await signInPage(GitHub({ ...client, id: 'github-enterprise', style }))
    expect(page).toContain('<svg class="badge icon"')
    expect(page).not.toContain('<span class="badge')
  })

  test('is replaced by style.logo', async () => {
    const page = await signInPage(GitHub({ ...client, style: { logo: '/github.svg' } }))
    expect(page).toContain('<img class="badge badge-0" src="/github.svg" alt="" loading="lazy" />')
    expect(page).not.toContain('<svg')
  })

  test('that cannot be loaded is replaced by the initial, and the log contains the error', async () => {
    const style = { icon: () => Promise.reject(new Error('no such chunk')) }
    const { log, request } = site([GitHub({ ...client, style })])
    expect(await request('signin')).toContain('aria-hidden="true">G</span>')
    expect(log.errors.map(({ message }) => message)).toEqual(['no such chunk'])
  })

  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['an object without paths', {}],
    ['paths that are not a list', { paths: 'M0 0' }],
    ['a path that is not an object', { paths: [null] }],
    ['a button that is not an object', { paths: [], button: true }],
    ['a button without dark', { paths: [], button: { light: { background: '#fff' } } }],
  ])(
    'that is %s is replaced by the initial, and the log contains the error',
    async (_what, icon) => {
      const provider = GitHub(client)
      Reflect.set(provider.style ?? {}, 'icon', () => icon)
      const { log, request } = site([provider])
      expect(await request('signin')).toContain('aria-hidden="true">G</span>')
      expect(log.errors.map(({ message }) => message)).toEqual([
        expect.stringMatching(
          /^style\.icon of provider github is not an icon \(got .*\)\. Return paths/,
        ),
      ])
    },
  )

  test.each([[{}], [{ src: '/logo.svg' }], [42]])(
    'replaces a logo that is not a URL (%j), also that of the application',
    async (logo) => {
      const provider = GitHub(client)
      Reflect.set(provider.style ?? {}, 'logo', logo)
      const theme: Theme = { name: 'Shop' }
      Reflect.set(theme, 'logo', logo)
      const page = await site([provider], theme).request('signin')
      expect(page).toContain('Continue with GitHub')
      expect(page).toContain('<div class="brand" aria-hidden="true">S</div>')
      expect(page).not.toContain('<img')
    },
  )

  test('cannot break out of the page', async () => {
    const hostile = '"/></style><script>alert(1)</script>'
    const colors = { background: hostile, text: hostile, border: hostile }
    const button = { light: colors, dark: colors }
    const icon = () => ({ paths: [{ d: hostile, fill: hostile }], button })
    const page = await signInPage(GitHub({ ...client, style: { icon } }))
    expect(page).toContain('<path d="&quot;/&gt;&lt;/style&gt;')
    expect(page).not.toContain('<script')
    expect(page.match(/<\/style>/g)).toHaveLength(1)
  })
})

describe('a vendor with rules for its button', () => {
  const LIGHT = '{ background: #ffffff; color: #1f1f1f; border-color: #747775; }'
  const DARK = '{ background: #131314; color: #e3e3e3; border-color: #8e918f; }'
  const providers = [Slack(client), Google(client)]
  const inDark = (rule: string) => `@media (prefers-color-scheme: dark) { ${rule}`

  test('has its colours in both colour schemes', async () => {
    const page = await site(providers).request('signin')
    expect(page).toContain(`.button.button-1 ${LIGHT}`)
    expect(page).toContain(inDark(`.button.button-1 ${DARK}`))
    expect(page).toContain('<button type="submit" class="button button-1">')
  })

  test('has them as the primary action, too, and with theme.brandColor', async () => {
    const page = await site([Google(client)], { brandColor: '#ff0000' }).request('signin')
    expect(page).toContain(`.button.button-0 ${LIGHT}`)
    expect(page.indexOf('.button.button-0')).toBeGreaterThan(page.indexOf('#ff0000'))
  })

  test.each([
    ['light', LIGHT],
    ['dark', DARK],
  ] as const)('has the colours of theme.colorScheme: %s', async (colorScheme, rule) => {
    const page = await site(providers, { colorScheme }).request('signin')
    expect(page).toContain(`.button.button-1 ${rule}`)
    expect(page).not.toContain('prefers-color-scheme')
  })
})
