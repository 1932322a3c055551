/** The generated pages in docs/providers. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import Auth0 from '../../src/providers/auth0.ts'
import Discord from '../../src/providers/discord.ts'
import { providerNames } from '../../src/core/config/variables.ts'
import { documentationOf, notesOf, pageOf } from '../../tools/provider-docs.mjs'
import { fixtures } from '../providers/catalogue.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

const NOTES = `<!-- {"console": "https://vendor.example/apps", "refreshToken": "scope:offline", "email": "none"} -->

Create an application under _Apps_.

- Tokens are valid for one hour.
`

/** The page of Discord with these notes. */
function discordPage(notes: string): string {
  const documentation = documentationOf(read('src/providers/discord.ts'))
  return pageOf(Discord(), {
    file: 'discord',
    options: undefined,
    documentation,
    notes: notesOf(notes),
  })
}

test('the pages are up to date', () => {
  const program = join(ROOT, 'tools/provider-docs.mjs')
  const { status, stderr } = spawnSync(process.execPath, [program, '--check'], { encoding: 'utf8' })
  expect(stderr).toBe('')
  expect(status).toBe(0)
})

test.each([...fixtures])(
  'the page of %s names the variables that the library reads',
  (file, { id, token }) => {
    const page = read(`docs/providers/${file}.md`)
    expect(page).toContain(`\n${providerNames(id, 'clientId')[0]}=\n`)
    const secret = `\n${providerNames(id, 'clientSecret')[0]}=\n`
    const isSent =
      token.auth !== 'none' || Object.values(token.params ?? {}).includes('{clientSecret}')
    expect(page.includes(secret)).toBe(isSent)
  },
)

describe('a page', () => {
  test('contains the facts, the steps and the list of the notes', () => {
    const page = discordPage(NOTES)
    expect(page).toContain('| Console | <https://vendor.example/apps> |')
    expect(page).toContain('| Refresh token | With the scope `offline` |')
    expect(page).toContain('| E-mail address | Not reported |')
    expect(page).toContain('## Set up\n\nCreate an application under _Apps_.\n')
    expect(page).toContain('## Notes\n\n- Tokens are valid for one hour.\n')
  })

  test.each([
    ['default', 'By default'],
    ['never', 'Never'],
    ['scope:identify', 'By default'],
    ['parameter:access_type=offline', 'With the parameter `access_type=offline`'],
  ])('describes the refresh token %j', (refreshToken, expected) => {
    const page = discordPage(`<!-- ${JSON.stringify({ refreshToken })} -->\n`)
    expect(page).toContain(`| Refresh token | ${expected} |`)
  })

  test('without notes contains what the module determines', () => {
    const page = discordPage('')
    expect(page).toMatch(/^# Discord\n/)
    expect(page).toContain(`\`import Discord from 'lib-auth/providers/discord'\``)
    expect(page).toContain('`https://<your site>/api/auth/callback/discord`')
    expect(page).toContain('| Scopes | `identify email` |')
    expect(page).toContain('| Refresh token | See the documentation of the vendor |')
    expect(page).toContain(
      '| Documentation | <https://discord.com/developers/docs/topics/oauth2> |',
    )
    expect(page).toContain('Register your site as an application')
    expect(page).toContain('export const providers = [Discord]')
    expect(page).not.toMatch(/undefined|## Notes/)
  })

  test('lists the variable of an issuer that the provider requires', () => {
    const documentation = documentationOf(read('src/providers/auth0.ts'))
    const notes = notesOf('')
    const options = { issuer: 'https://tenant.example' }
    const page = pageOf(Auth0(options), { file: 'auth0', options, documentation, notes })
    expect(page).toContain('AUTH_AUTH0_ISSUER=\n')
    expect(discordPage('')).not.toContain('ISSUER')
  })
})
