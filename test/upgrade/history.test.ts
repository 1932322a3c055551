/** Released data is not changed, and a release that is missing is noticed. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { frozenVersions } from './frozen.ts'
import { changedSinceTag, findCommit } from './history.ts'

test.each(frozenVersions())('the files of %s are those of its tag, once it has one', (version) => {
  expect(changedSinceTag(version) ?? []).toEqual([])
})

function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'lib-auth-history-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

function createRepository() {
  const folder = createFolder()
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  const write = (file: string, text: string) => {
    mkdirSync(join(folder, 'test/upgrade/0.1.0'), { recursive: true })
    writeFileSync(join(folder, 'test/upgrade/0.1.0', file), text)
  }
  const commit = () => {
    git('add', '--all')
    git('commit', '--quiet', '--allow-empty', '--message', 'A commit')
  }
  git('init', '--quiet', '--initial-branch=main')
  for (const file of ['cases.json', 'manifest.json']) write(file, '{}')
  commit()
  return { folder, git, write, commit }
}

test('a changed byte in a released file is found, also if the manifest was changed with it', () => {
  const { folder, git, write, commit } = createRepository()
  expect(changedSinceTag('0.1.0', folder)).toBeNull()
  git('tag', 'v0.1.0')
  commit()
  expect(changedSinceTag('0.1.0', folder)).toEqual([])
  for (const file of ['cases.json', 'manifest.json']) write(file, '{ }')
  const changed = ['test/upgrade/0.1.0/cases.json', 'test/upgrade/0.1.0/manifest.json']
  expect(changedSinceTag('0.1.0', folder)).toEqual(changed)
  commit()
  expect(changedSinceTag('0.1.0', folder)).toEqual(changed)
})

test('the commit of a release is required if the history is complete', () => {
  const { folder, git, commit } = createRepository()
  const first = git('rev-parse', 'HEAD').trim()
  commit()
  expect(findCommit(first, folder)).toBe(first)
  expect(() => findCommit('a'.repeat(40), folder)).toThrow('git fetch --tags')
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  onTestFinished(() => warn.mockRestore())
  git('clone', '--quiet', '--depth=1', `file://${folder}`, 'shallow')
  expect(findCommit(first, join(folder, 'shallow'))).toBeUndefined()
  expect(warn.mock.lastCall?.[0]).toContain('git fetch --unshallow')
  expect(findCommit(first, createFolder())).toBeUndefined()
  expect(warn.mock.lastCall?.[0]).toContain('no git repository')
})
