/** The release command names what is missing. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { newest, packagesOf, removeCopies, reportCommand } from '../../tools/canary.mjs'
import { findNotes, registryTag } from '../../tools/release-files.mjs'
import { findRefusals, pushCommand, readArguments } from '../../tools/release.mjs'

const READY = {
  version: '0.2.0',
  packageVersion: '0.2.0',
  previous: '0.1.0',
  branch: 'main',
  isTagged: false,
  changes: '',
  isFetched: true,
  isPushed: true,
  commit: 'abc',
  gate: 'abc',
  notes: 'Text.',
  unannounced: [],
  isFrozen: true,
  stale: [],
  canSign: true,
  budgets: 0,
  site: 0,
}

const both = (version: string) => ({ version, packageVersion: version })

test('what is ready is released', () => {
  expect(findRefusals(READY)).toEqual([])
  expect(findRefusals({ ...READY, previous: null, ...both('0.1.0') })).toEqual([])
  expect(findRefusals({ ...READY, ...both('0.1.1'), branch: 'v0.1' })).toEqual([])
})

test.each<[string, object, string]>([
  ['a word', both('latest'), 'is not a version'],
  ['an empty version', both(''), 'is not a version'],
  ['the same version', both('0.1.0'), 'does not come after 0.1.0'],
  ['an older version', both('0.0.9'), 'does not come after 0.1.0'],
  ['a candidate of the last release', both('0.1.0-rc.1'), 'does not come after 0.1.0'],
  ...['0.2.0;id', 'v0.2.0', '0.2', '0.2.0-rc.1+build', '../0.2.0', '0.2.0\n'].map(
    (version): [string, object, string] => [`"${version}"`, both(version), 'is not a version'],
  ),
  ['another branch', { branch: 'feature' }, 'from main, and patches from v0.2.'],
  ['the line of another version', { branch: 'v0.1' }, 'The branch is v0.1.'],
  ['no branch', { branch: 'HEAD' }, 'The branch is HEAD.'],
  ['a tag that exists', { isTagged: true }, 'git tag -d v0.2.0'],
  ['a remote that cannot be read', { isFetched: false }, 'git fetch'],
  ['a changed file', { changes: ' M src/index.ts' }, 'M src/index.ts'],
  ['a commit that was not pushed', { isPushed: false }, 'differs from its remote'],
  ['a commit without a gate', { gate: '' }, 'gate has not passed'],
  ['the gate of another commit', { gate: 'abd' }, 'gate has not passed'],
  ['a changelog without the version', { notes: null }, '## 0.2.0 (YYYY-MM-DD)'],
  ['an empty section', { notes: '' }, '## 0.2.0 (YYYY-MM-DD)'],
  ['a break', { unannounced: [{ level: 'major', what: 'routes.csrf is gone' }] }, 'csrf is gone'],
  ['no fixtures', { isFrozen: false }, 'npm run freeze -- 0.2.0'],
  ['fixtures of before', { stale: ['api.txt'] }, 'api.txt of test/upgrade/0.2.0'],
  ['another version in package.json', { packageVersion: '0.1.0' }, 'npm version 0.2.0'],
  ['a tag without a key', { canSign: false }, 'git config user.signingkey'],
  ['a figure above its limit', { budgets: 1 }, 'npm run budgets'],
  ['a site that does not build', { site: 1 }, 'npm run site:build'],
])('%s is refused', (_name, facts, reason) => {
  const refusals = findRefusals({ ...READY, ...facts })
  expect(refusals).toHaveLength(1)
  expect(refusals[0]).toContain(reason)
})

test.each([
  ['0.1.1', '0.1.0'],
  ['0.1.0', '0.1.0-rc.2'],
  ['0.1.0-rc.10', '0.1.0-rc.9'],
  ['1.0.0', '0.10.3'],
])('%s comes after %s', (version, previous) => {
  expect(findRefusals({ ...READY, ...both(version), previous })).toEqual([])
})

test('the notes are those of the section with a date', () => {
  const changelog =
    '# Changelog\n\n## 0.2.0 (2027-01-02)\n\nNew.\n\n## 0.1.0 (unreleased)\n\nOld.\n'
  expect(findNotes(changelog, '0.2.0')).toBe('New.')
  expect(findNotes(changelog, '0.1.0')).toBeNull()
  expect(findNotes(changelog, '0.2')).toBeNull()
})

test.each([
  ['0.2.0', '0.1.0', 'latest'],
  ['0.1.0', '0.1.0-rc.0', 'latest'],
  ['0.1.0', '', 'latest'],
  ['0.2.0-rc.1', '0.1.0', 'next'],
  ['0.1.5', '0.2.1', 'release-0.1'],
  ['0.9.1', '0.10.0', 'release-0.9'],
])('%s gets its tag if %s is installed by default: %s', (version, latest, tag) => {
  expect(registryTag(version, latest)).toBe(tag)
})

test('a dry run is one, also as npm passes it without --', () => {
  const dryRun = { version: '0.2.0', isDryRun: true }
  expect(readArguments(['0.2.0', '--dry-run'], {})).toEqual(dryRun)
  expect(readArguments(['0.2.0'], { npm_config_dry_run: 'true' })).toEqual(dryRun)
  expect(readArguments(['0.2.0'], {})).toEqual({ version: '0.2.0', isDryRun: false })
  for (const words of [['0.2.0', '--dryrun'], ['0.2.0', '-n'], ['0.2.0', '0.3.0'], []])
    expect(() => readArguments(words, {})).toThrow(/Unknown option|Usage/)
})

test('a release pushes its tag, and not that of a dry run', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lib-auth-push-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], {
      cwd: folder,
      encoding: 'utf8',
    })
  git('init', '--quiet', '--bare', 'remote')
  git('init', '--quiet', '--initial-branch=main', '.')
  git('remote', 'add', 'origin', join(folder, 'remote'))
  git('commit', '--quiet', '--allow-empty', '--message', 'Release')
  for (const tag of ['v0.2.0-rc.1', 'v0.2.0']) git('tag', '--annotate', tag, '--message', tag)
  git(...pushCommand('0.2.0'))
  const refs = git('--git-dir=remote', 'for-each-ref', '--format=%(refname)').trim().split('\n')
  expect(refs).toEqual(['refs/tags/v0.2.0'])
})

test.each([
  [
    '16.5.0-canary.38',
    ['16.4.0', '16.5.0-canary.9', '16.5.0-canary.38', '0.0.0-experimental-1', '15.9.9'],
  ],
  ['16.5.0', ['16.4.0', '16.5.0', '16.5.0-canary.38']],
  ['1.10.0', ['1.10.0', '1.9.0', '1.10.0-beta.1', '1.10.0-beta.12']],
  ['2.0.0-rc.1', ['2.0.0-beta.9', '2.0.0-rc.1', '2.0.0-alpha.20', '1.9.19']],
  [
    '19.3.0-canary-0bdb9206-20260928',
    ['19.3.0-canary-0bdb9206-20260928', '19.3.0-canary-f9ae0a4c-20260527', '19.2.7'],
  ],
  ['7.1.0-dev.20261021.1', ['7.1.0-dev.20261009.2', '7.1.0-dev.20261021.1', '7.0.2']],
])('the canary takes %s as the newest', (version, versions) => {
  expect(newest(versions)).toBe(version)
  expect(newest(versions.toReversed())).toBe(version)
})

test('the canary installs packages of one release together', () => {
  expect(packagesOf('react', '20.0.0')).toEqual(['react@20.0.0', 'react-dom@20.0.0'])
  expect(packagesOf('next', '17.0.0')).toEqual(['next@17.0.0'])
})

test('the canary leaves a workspace no copy of the former version, and each other version', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lib-auth-canary-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const install = (place: string, version: string) => {
    const target = join(folder, place, 'node_modules/@sveltejs/kit')
    mkdirSync(target, { recursive: true })
    writeFileSync(join(target, 'package.json'), JSON.stringify({ version }))
    return target
  }
  const workspaces = ['examples/one', 'test/apps/*']
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ workspaces }))
  const copies = [install('examples/one', '2.1.0'), install('test/apps/two', '2.1.0')]
  const others = [install('test/apps/three', '1.0.0'), install('.', '2.1.0')]
  removeCopies('@sveltejs/kit', '2.1.0', folder)
  expect(copies.filter((each) => existsSync(each))).toEqual([])
  expect(others.filter((each) => existsSync(each))).toEqual(others)
})

test('the canary opens one issue for a package, updates it, and closes it', () => {
  const facts = { name: 'next', version: '16.5.0', outcome: 'failure' }
  expect(reportCommand(facts)?.slice(0, 2)).toEqual(['issue', 'create'])
  expect(reportCommand({ ...facts, issue: 7 })?.slice(0, 3)).toEqual(['issue', 'comment', '7'])
  expect(reportCommand({ ...facts, outcome: 'success', issue: 7 })?.slice(0, 3)).toEqual([
    'issue',
    'close',
    '7',
  ])
  expect(reportCommand({ ...facts, outcome: 'success' })).toBeNull()
})
