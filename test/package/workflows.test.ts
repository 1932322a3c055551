/** The workflows of the repository, and those of their steps that need neither a network nor the forge. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { findRuntime } from '../services.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const WORKFLOWS = join(ROOT, '.github/workflows')

interface Step {
  readonly name?: string
  readonly uses?: string
  readonly run?: string
  readonly with?: Readonly<Record<string, unknown>>
}

interface Job {
  readonly strategy?: { readonly matrix: Readonly<Record<string, readonly string[]>> }
  readonly permissions?: Readonly<Record<string, string>>
  readonly steps: readonly Step[]
}

interface Workflow {
  readonly permissions: Readonly<Record<string, string>>
  readonly jobs: Readonly<Record<string, Job>>
}

const workflows = readdirSync(WORKFLOWS).map((file): [string, Workflow] => {
  // What it has is tested below.
  const parsed = parse(readFileSync(join(WORKFLOWS, file), 'utf8')) as Workflow
  return [file, parsed]
})

const stepsOf = ({ jobs }: Workflow): Step[] => Object.values(jobs).flatMap(({ steps }) => steps)

describe.each(workflows)('%s', (_file, workflow) => {
  test('reads only, unless a job asks for more', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' })
  })

  test('runs no code of other packages in a job whose token writes', () => {
    for (const { permissions = {}, steps } of Object.values(workflow.jobs))
      if (Object.values(permissions).includes('write'))
        for (const { run = '' } of steps)
          expect(run).not.toMatch(/npm (?:ci|i|install|run|test|exec)\b|npx|\.ci/)
  })

  test('leaves no token in the checkout', () => {
    const checkouts = stepsOf(workflow).filter(({ uses = '' }) =>
      uses.startsWith('actions/checkout'),
    )
    expect(checkouts).not.toEqual([])
    for (const checkout of checkouts)
      expect(checkout.with).toMatchObject({ 'persist-credentials': false })
  })

  test('pins its actions by commit', () => {
    for (const { uses } of stepsOf(workflow))
      if (uses !== undefined) expect(uses).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/)
  })

  test('runs scripts and programs that exist', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>
    }
    const commands = stepsOf(workflow).flatMap(({ run }) => run ?? [])
    expect(commands).not.toEqual([])
    for (const command of commands) {
      for (const [, script = ''] of command.matchAll(/npm run (\S+)/g))
        expect(scripts).toHaveProperty([script])
      for (const [, program = ''] of command.matchAll(/node (tools\S+)/g))
        expect(existsSync(join(ROOT, program))).toBe(true)
    }
  })
})

const jobsOf = (file: string): Readonly<Record<string, Job>> =>
  workflows.find(([name]) => name === file)?.[1].jobs ?? {}

test('the gate has the history, whose releases it builds', () => {
  const { steps = [] } = jobsOf('gate.yml')['gate'] ?? {}
  const checkout = steps.find(({ uses = '' }) => uses.startsWith('actions/checkout'))
  expect(checkout?.with).toMatchObject({ 'fetch-depth': 0 })
})

describe('the canary', () => {
  const { test: run, report } = jobsOf('canary.yml')
  const stepOf = (job: Job | undefined, found: (step: Step) => boolean) => job?.steps.find(found)

  test('tries packages that the repository installs, with the programs that tests need', () => {
    const { devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      devDependencies: object
    }
    const packages = run?.strategy?.matrix['package'] ?? []
    expect(packages).toContain('@sveltejs/kit')
    expect(Object.keys(devDependencies)).toEqual(expect.arrayContaining([...packages]))
    const commands = run?.steps.flatMap((step) => step.run ?? []) ?? []
    const at = (part: string) => commands.findIndex((each) => each.includes(part))
    expect(at('services.mjs --install')).toBeGreaterThan(at('npm ci'))
    expect(at('npm test')).toBeGreaterThan(at('canary.mjs install'))
    expect(at('canary.mjs install')).toBeGreaterThan(at('services.mjs --install'))
  })

  test('reports each of them, also if it cannot be installed', () => {
    expect(report?.strategy).toEqual(run?.strategy)
    const install = stepOf(run, ({ run: command = '' }) => command.includes('canary.mjs install'))
    const tests = stepOf(run, ({ run: command }) => command === 'npm test')
    expect(install).toMatchObject({ id: 'install', 'continue-on-error': true })
    expect(tests).toMatchObject({ if: "${{ steps.install.outcome == 'success' }}" })
    const isUpload = ({ uses = '' }: Step) => uses.startsWith('actions/upload-artifact')
    const isDownload = ({ uses = '' }: Step) => uses.startsWith('actions/download-artifact')
    const name = stepOf(run, isUpload)?.with?.['name']
    // A name of a package may contain a slash, and that of an artifact may not.
    expect(name).toBe('outcome-${{ strategy.job-index }}')
    expect(stepOf(report, isDownload)?.with?.['name']).toBe(name)
  })
})

/** A release is built on two versions of Node.js. */
const nodes = { 'node-20.20.2': process.execPath, 'node-24.21.0': await findRuntime('node-24') }

describe.skipIf(!nodes['node-24.21.0'])('a release', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lib-auth-release-'))
  const checkout = join(folder, 'checkout')
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  function runStep(name: string, node = process.execPath): void {
    const [, release] = workflows.find(([file]) => file === 'release.yml') ?? []
    const command = release && stepsOf(release).find((step) => step.name === name)?.run
    if (command === undefined) throw new Error(`There is no step ${name}.`)
    const PATH = [dirname(node), process.env['PATH']].join(delimiter)
    const env = { ...process.env, PATH, npm_config_local_prefix: undefined }
    execFileSync('bash', ['-e', '-c', command], { cwd: checkout, env, stdio: 'pipe' })
  }

  beforeAll(() => {
    execFileSync('git', ['worktree', 'add', '--detach', '--quiet', checkout], { cwd: ROOT })
    execFileSync('ln', ['-s', join(ROOT, 'node_modules'), join(checkout, 'node_modules')])
  })
  afterAll(() => {
    execFileSync('git', ['worktree', 'remove', '--force', checkout], { cwd: ROOT })
  })

  test('has the same bytes on two versions of Node.js, and comes with notes and both SBOMs', () => {
    for (const [name, node] of Object.entries(nodes)) {
      runStep('pack', node ?? '')
      mkdirSync(join(checkout, 'artifacts', name), { recursive: true })
      const packed = join(checkout, 'packed')
      execFileSync('mv', [packed, join(checkout, 'artifacts', name, 'packed')])
      execFileSync('bash', ['-c', 'mv packed/* . && rmdir packed'], {
        cwd: join(checkout, 'artifacts', name),
      })
    }
    runStep('compare')
    runStep('files of the release')
    const files = readdirSync(join(checkout, 'files')).sort()
    expect(files).toEqual(['notes.md', 'sbom.cyclonedx.json', 'sbom.spdx.json'])
    expect(readFileSync(join(checkout, 'files/notes.md'), 'utf8')).toMatch(
      /^\| tarball, bytes \| \d+ \|/m,
    )
    const sbom = readFileSync(join(checkout, 'files/sbom.cyclonedx.json'), 'utf8')
    const { components } = JSON.parse(sbom) as { components: { name: string; hashes: unknown }[] }
    expect(components.map(({ name }) => name).sort()).toEqual(['lib-auth', 'oauth4webapi', 'uqr'])
    for (const { hashes } of components) expect(hashes).toMatchObject([{ alg: 'SHA-512' }])
  })
})
