/** The release command, in a small repository of its own and without a network. */
import { execFileSync, spawnSync } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'lib-auth-command-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const PACKAGE = {
  name: 'lib-auth',
  version: '0.2.0',
  type: 'module',
  scripts: { budgets: 'node tools/budgets.mjs', 'site:build': 'node --version' },
}
const FIGURES = '| figure | value |\n| --- | ---: |\n| files | 3 |\n'

interface Repository {
  readonly root: string
  readonly git: (...args: string[]) => string
  readonly write: (file: string, text: string) => void
  /** Commits everything; the gate passes for it. */
  readonly commit: () => void
  readonly run: (program: string, ...args: string[]) => { status: number | null; text: string }
}

function open(root: string): Repository {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }
  const commit = () => {
    git('add', '--all')
    git('commit', '--quiet', '--allow-empty', '--message', 'A commit')
    write('.cache/gate', `${git('rev-parse', 'HEAD')}\n`)
  }
  const run = (program: string, ...args: string[]) => {
    const env = { ...process.env, npm_config_offline: 'true', npm_config_dry_run: undefined }
    const command = [`tools/${program}.mjs`, ...args]
    const result = spawnSync(process.execPath, command, { cwd: root, env, encoding: 'utf8' })
    return { status: result.status, text: result.stdout + result.stderr }
  }
  return { root, git, write, commit, run }
}

beforeAll(() => {
  const { root, git, write, commit } = open(join(folder, 'ready'))
  for (const each of ['tools', 'etc'])
    cpSync(join(ROOT, each), join(root, each), { recursive: true })
  write('tools/budgets.mjs', `process.stdout.write(${JSON.stringify(FIGURES)})`)
  write('package.json', JSON.stringify(PACKAGE))
  write('CHANGELOG.md', '# Changelog\n\n## 0.2.0 (2027-01-02)\n\nBetter.\n')
  write('test/upgrade/0.2.0/manifest.json', '{}')
  for (const file of ['api.txt', 'contract.json'])
    cpSync(join(root, 'etc', file), join(root, 'test/upgrade/0.2.0', file))
  write('.gitignore', '.cache\n')
  git('init', '--quiet', '--initial-branch=main')
  git('config', 'user.name', 'Ada')
  git('config', 'user.email', 'ada@example.com')
  commit()
})

function createRepository(): Repository {
  const root = mkdtempSync(join(folder, 'copy-'))
  cpSync(join(folder, 'ready'), root, { recursive: true })
  onTestFinished(() => rmSync(root, { recursive: true }))
  return open(root)
}

test('a dry run makes the tag and what is published, without a network', () => {
  const { root, git, run } = createRepository()
  expect(run('release', '0.2.0', '--dry-run')).toMatchObject({
    status: 0,
    text: expect.stringContaining('Tag: v0.2.0, unsigned and not pushed') as unknown,
  })
  expect(git('tag')).toBe('v0.2.0')
  const release = join(root, '.cache/release/0.2.0')
  expect(readdirSync(release).sort()).toEqual([
    'lib-auth-0.2.0.tgz',
    'notes.md',
    'sbom.cyclonedx.json',
    'sbom.spdx.json',
  ])
  const notes = readFileSync(join(release, 'notes.md'), 'utf8')
  expect(notes).toBe(`Better.\n\n## Figures\n\n${FIGURES}`)
})

const withoutCookies = (repository: Repository) => {
  const file = join(repository.root, 'etc/contract.json')
  const contract = JSON.parse(readFileSync(file, 'utf8')) as object
  const text = `${JSON.stringify({ ...contract, cookies: {} }, null, 2)}\n`
  for (const each of ['etc', 'test/upgrade/0.2.0']) repository.write(`${each}/contract.json`, text)
}

test.each<[string, (repository: Repository) => void, string]>([
  [
    'a changed file',
    ({ write }) => write('new.txt', ''),
    'The working tree has changes:\n?? new.txt',
  ],
  [
    'a commit without a gate',
    ({ root }) => rmSync(join(root, '.cache/gate')),
    'The gate has not passed',
  ],
  [
    'the gate of another commit',
    ({ write }) => write('.cache/gate', 'abc'),
    'The gate has not passed',
  ],
  ['an existing tag', ({ git }) => void git('tag', 'v0.2.0'), 'The tag v0.2.0 exists'],
  ['a later release', ({ git }) => void git('tag', 'v0.3.0'), '0.2.0 does not come after 0.3.0.'],
  [
    'a version without notes',
    (repository) => {
      repository.write('CHANGELOG.md', '# Changelog\n\n## 0.2.0 (unreleased)\n\nBetter.\n')
      repository.commit()
    },
    'CHANGELOG.md has no section "## 0.2.0 (YYYY-MM-DD)"',
  ],
  [
    'a version without fixtures',
    (repository) => {
      rmSync(join(repository.root, 'test'), { recursive: true })
      repository.commit()
    },
    'test/upgrade/0.2.0 is missing. Run: npm run freeze -- 0.2.0',
  ],
  [
    'fixtures of before a change',
    (repository) => {
      appendFileSync(join(repository.root, 'etc/api.txt'), '\n')
      repository.commit()
    },
    'api.txt of test/upgrade/0.2.0 differ from etc. Run: npm run freeze -- 0.2.0',
  ],
  [
    'a cookie that is gone',
    (repository) => {
      repository.git('tag', 'v0.1.0')
      withoutCookies(repository)
      repository.commit()
    },
    '0.2.0 does not announce: cookies.secure is gone',
  ],
  [
    'a figure above its limit',
    (repository) => {
      repository.write('tools/budgets.mjs', 'process.exitCode = 1')
      repository.commit()
    },
    'A figure is above its limit. Run: npm run budgets',
  ],
  [
    'a site that does not build',
    (repository) => {
      const scripts = { ...PACKAGE.scripts, 'site:build': 'node tools/gone.mjs' }
      repository.write('package.json', JSON.stringify({ ...PACKAGE, scripts }))
      repository.commit()
    },
    'The site does not build. Run: npm run site:build',
  ],
])('refuses %s', (_name, change, reason) => {
  const repository = createRepository()
  change(repository)
  const tags = repository.git('tag')
  const { status, text } = repository.run('release', '0.2.0', '--dry-run')
  expect(text).toContain(`Refused: ${reason}`)
  expect(status).toBe(1)
  expect(repository.git('tag')).toBe(tags)
})

test('a patch that drops a runtime is refused, and one with a newer version of it is not', () => {
  const repository = createRepository()
  repository.git('tag', 'v0.1.9')
  repository.write('package.json', JSON.stringify({ ...PACKAGE, version: '0.1.10' }))
  const support = JSON.parse(
    readFileSync(join(repository.root, 'etc/support.json'), 'utf8'),
  ) as Record<string, object>
  const releaseWith = (Deno?: object) => {
    repository.write('etc/support.json', JSON.stringify({ ...support, Deno }))
    return repository.run('release', '0.1.10', '--dry-run').text
  }
  expect(releaseWith({ versions: ['2.99.0'] })).not.toContain('announce')
  expect(releaseWith()).toContain('Refused: 0.1.10 does not announce: Deno 2 is gone')
})

test('a release, and not a dry run, needs a branch, and a remote that has its commit', () => {
  const repository = createRepository()
  repository.git('switch', '--quiet', '--create', 'feature')
  repository.git('remote', 'add', 'origin', join(folder, 'nowhere'))
  const { status, text } = repository.run('release', '0.2.0')
  expect(text).toContain('Refused: The branch is feature.')
  expect(text).toContain('Refused: The remote cannot be read.')
  expect(text).toContain('Refused: The branch differs from its remote, or has none.')
  expect(status).toBe(1)
  expect(repository.git('tag')).toBe('')
})

test('only the version of package.json is frozen', () => {
  const { run, root } = createRepository()
  expect(run('freeze', '0.3.0')).toMatchObject({
    status: 1,
    text: expect.stringContaining('package.json has version 0.2.0.') as unknown,
  })
  expect(readdirSync(join(root, 'test/upgrade'))).toEqual(['0.2.0'])
})
