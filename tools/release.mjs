// npm run release -- <version>: refuses unless everything is ready, then makes a signed tag and pushes it; CI publishes from
// the tag. `--dry-run` makes an unsigned tag and what is published, in .cache/release, and pushes nothing.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { compareReleases, findUnannounced } from './contract.mjs'
import { readIfExists } from './generated-files.mjs'
import { findNotes, isAfter, VERSION, writeFiles } from './release-files.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
/**
 * Why the release cannot be made, in sentences.
 *
 * @param facts - `version`, `packageVersion`, `previous` (the last release; `null`: none), `branch`, `isTagged`, `changes` (git
 * status), `isFetched`, `isPushed`, `gate` (the commit that passed), `commit`, `notes`, `unannounced`, `isFrozen`, `stale`
 * (frozen files that differ from those of etc), `canSign`, and the exit codes `budgets` and `site`
 */
export function findRefusals(facts) {
  const { version, previous } = facts
  if (!VERSION.test(version)) return [`"${version}" is not a version such as 0.2.0 or 0.2.0-rc.1.`]
  const refusals = []
  const refuse = (isRefused, reason) => isRefused && refusals.push(reason)
  refuse(previous && !isAfter(version, previous), `${version} does not come after ${previous}.`)
  refuse(
    facts.packageVersion !== version,
    `package.json has version ${facts.packageVersion}. Run, and commit: npm version ${version} --no-git-tag-version`,
  )
  const line = `v${version.split('.', 2).join('.')}`
  refuse(
    !['main', line].includes(facts.branch),
    `The branch is ${facts.branch}. Releases are made from main, and patches from ${line}.`,
  )
  refuse(
    facts.isTagged,
    `The tag v${version} exists, of a dry run or of a release. If it was not pushed: git tag -d v${version}`,
  )
  refuse(facts.changes, `The working tree has changes:\n${facts.changes}`)
  refuse(!facts.isFetched, 'The remote cannot be read. Run: git fetch')
  refuse(!facts.isPushed, 'The branch differs from its remote, or has none. Push it, or pull.')
  refuse(facts.gate !== facts.commit, 'The gate has not passed here for this commit. Run: .ci/run')
  refuse(!facts.notes, `CHANGELOG.md has no section "## ${version} (YYYY-MM-DD)" with text.`)
  for (const { what } of facts.unannounced) refuse(true, `${version} does not announce: ${what}`)
  refuse(!facts.isFrozen, `test/upgrade/${version} is missing. Run: npm run freeze -- ${version}`)
  refuse(
    facts.isFrozen && facts.stale.length > 0,
    `${facts.stale.join(' and ')} of test/upgrade/${version} differ from etc. Run: npm run freeze -- ${version}`,
  )
  refuse(!facts.canSign, 'The tag cannot be signed. Set a key: git config user.signingkey <key>')
  refuse(facts.budgets !== 0, 'A figure is above its limit. Run: npm run budgets')
  refuse(facts.site !== 0, 'The site does not build. Run: npm run site:build')
  return refusals
}

const git = (...args) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim()
const run = (...args) =>
  spawnSync(...args, { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] }).status ?? 1
const read = (file) => readFileSync(`${ROOT}${file}`, 'utf8')

/** One tag: another one may be that of a dry run, and CI publishes each tag that it receives. */
export const pushCommand = (version) => ['push', 'origin', `refs/tags/v${version}`]

/** Without the version itself, which may have the tag of a dry run. */
function lastRelease(version) {
  const tags = git('tag', '--list', 'v*', '--merged').split('\n')
  const versions = tags
    .map((tag) => tag.slice(1))
    .filter((tag) => VERSION.test(tag) && tag !== version)
  return versions.reduce((last, each) => (last === null || isAfter(each, last) ? each : last), null)
}

/** Compares with what the remote is known to have. */
function isPushed(isDryRun) {
  const { status, stdout } = spawnSync('git', ['rev-parse', 'HEAD', '@{upstream}'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  const [head, upstream] = stdout.trim().split('\n')
  return status === 0 ? head === upstream : isDryRun
}

function gather(version, isDryRun) {
  const previous = lastRelease(version)
  // It needs a network, and also brings the tags.
  const isFetched = isDryRun || run('git', ['fetch', '--quiet']) === 0
  const gate = `${ROOT}.cache/gate`
  return {
    version,
    packageVersion: JSON.parse(read('package.json')).version,
    previous,
    // A dry run may be made anywhere.
    branch: isDryRun ? 'main' : git('rev-parse', '--abbrev-ref', 'HEAD'),
    isTagged: git('tag', '--list', `v${version}`) !== '',
    changes: git('status', '--porcelain'),
    isFetched,
    isPushed: isPushed(isDryRun),
    commit: git('rev-parse', 'HEAD'),
    gate: existsSync(gate) ? readFileSync(gate, 'utf8').trim() : '',
    notes: findNotes(read('CHANGELOG.md'), version),
    unannounced: previous
      ? findUnannounced(
          compareReleases((file) => git('show', `v${previous}:${file}`), read),
          {
            previous,
            next: version,
            exceptions: JSON.parse(read('etc/exceptions.json'))[version],
          },
        )
      : [],
    isFrozen: existsSync(`${ROOT}test/upgrade/${version}/manifest.json`),
    stale: ['api.txt', 'contract.json'].filter(
      (file) => readIfExists(`test/upgrade/${version}/${file}`) !== read(`etc/${file}`),
    ),
    canSign:
      isDryRun || spawnSync('git', ['config', 'user.signingkey'], { cwd: ROOT }).status === 0,
    budgets: 0,
    site: 0,
  }
}

/** What takes minutes. */
function gatherRest(facts) {
  const script = (name) => run('npm', ['run', '--silent', name])
  return { ...facts, budgets: script('budgets'), site: script('site:build') }
}

/**
 * Without `--` before it, npm takes `--dry-run` for an option of its own, which it passes in the environment.
 *
 * @param {string[]} args
 * @param {Readonly<Record<string, string | undefined>>} env
 * @throws {Error} for another option: one that is misspelt would make a release
 */
export function readArguments(args, env) {
  const options = { 'dry-run': { type: /** @type {const} */ ('boolean'), default: false } }
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  if (positionals.length !== 1) throw new Error('Usage: npm run release -- <version> [--dry-run]')
  const isDryRun = values['dry-run'] || env.npm_config_dry_run === 'true'
  return { version: positionals[0], isDryRun }
}

function main(args) {
  const { version, isDryRun } = readArguments(args, process.env)
  // It is part of commands and paths.
  if (!VERSION.test(version)) {
    console.error(`Refused: ${findRefusals({ version }).join()}`)
    return 1
  }
  const facts = gather(version, isDryRun)
  const early = findRefusals(facts)
  const refusals = early.length > 0 ? early : findRefusals(gatherRest(facts))
  for (const refusal of refusals) console.error(`Refused: ${refusal}`)
  if (refusals.length > 0) return 1
  const folder = `${ROOT}.cache/release/${version}`
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  execFileSync('npm', ['pack', '--pack-destination', folder, '--silent'], { cwd: ROOT })
  writeFiles(`${folder}/lib-auth-${version}.tgz`, folder)
  console.log(`Files: ${folder}`)
  const tag = [
    'tag',
    isDryRun ? '--annotate' : '--sign',
    `v${version}`,
    '--message',
    `lib-auth ${version}`,
  ]
  if (run('git', tag) !== 0) return 1
  console.log(`Tag: v${version}${isDryRun ? ', unsigned and not pushed' : ''}`)
  if (isDryRun || run('git', pushCommand(version)) === 0) return 0
  console.error(`The tag was not pushed. Repeat: git ${pushCommand(version).join(' ')}`)
  return 1
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  try {
    process.exitCode = main(process.argv.slice(2))
  } catch (error) {
    console.error(error.message)
    process.exitCode = 1
  }
