// npm run support: writes etc/support.json, the versions that the gate runs, from the files that install them, with the
// oldest supported ones, and the table of docs/reference/support.md. With `--check` it compares.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { readIfExists, writeGenerated } from './generated-files.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** What is supported, and the packages that test it: the folder of the package.json, and the name of the dependency there. */
const SOURCES = {
  'Next.js': ['. next', 'test/apps/next-15 next'],
  React: ['. react', 'test/apps/react-18 react'],
  Express: ['. express', '. express-5.0', '. express-4', '. express-4.21'],
  Fastify: ['. fastify', '. fastify-5.0'],
  Hono: ['. hono', '. hono-4.6'],
  SvelteKit: [
    'test/e2e/frameworks/sveltekit @sveltejs/kit',
    'test/e2e/frameworks/sveltekit-3 @sveltejs/kit',
  ],
  Nuxt: ['test/e2e/frameworks/nuxt nuxt'],
  'React Router': [
    'test/e2e/frameworks/react-router react-router',
    'test/e2e/frameworks/react-router-7.9 react-router',
    'test/e2e/frameworks/react-router-8 react-router',
  ],
  Astro: ['test/e2e/frameworks/astro astro', 'test/e2e/frameworks/astro-7 astro'],
  'TanStack Start': ['test/e2e/frameworks/tanstack-start @tanstack/react-start'],
  SolidStart: ['test/e2e/frameworks/solid-start @solidjs/start'],
  Vue: ['. vue'],
  Svelte: ['. svelte'],
  Solid: ['. solid-js'],
  TypeScript: [
    '. typescript',
    'test/apps/typescript-6.0 typescript',
    'test/apps/typescript-5.4 typescript',
  ],
  Kysely: ['. kysely'],
  'Drizzle ORM': ['. drizzle-orm'],
  Prisma: ['test/apps/prisma @prisma/client'],
  'node-postgres': ['. pg'],
  mysql2: ['. mysql2'],
  ioredis: ['. ioredis'],
  'node-redis': ['. redis'],
  libsql: ['. libsql', '. @libsql/client'],
  'SimpleWebAuthn server': [
    '. @simplewebauthn/server',
    '. simplewebauthn-server-13',
    '. simplewebauthn-server-12',
    '. simplewebauthn-server-11',
    '. simplewebauthn-server-10',
    '. simplewebauthn-server-9',
  ],
  Nodemailer: ['. nodemailer'],
}

const readJson = (file) => JSON.parse(readFileSync(`${ROOT}${file}`, 'utf8'))

function versionOf(source) {
  const [folder, name] = source.split(' ')
  const { dependencies, devDependencies } = readJson(`${folder}/package.json`)
  return { ...dependencies, ...devDependencies }[name].replace(/^npm:.*@/, '')
}

/** The programs of other runtimes have their own lockfile. */
function runtimes() {
  const { packages } = readJson('test/runtimes/package-lock.json')
  const version = (name) => packages[`node_modules/${name}`]?.version
  const { engines } = readJson('package.json')
  const versions = {
    Bun: [version('@oven/bun-linux-x64')],
    Deno: [version('@deno/linux-x64-glibc')],
  }
  const nodes = ['node-22', 'node-24'].map(version)
  return { 'Node.js': [engines.node.replace('>=', ''), ...nodes], ...versions }
}

/** The tables whose third column has the oldest supported versions. */
const statedRows = ['README.md', 'docs/decisions/0002-dependencies.md'].flatMap((file) =>
  readIfExists(file)
    .split('\n')
    .map((line) => line.split(' | ')),
)

/** Empty if only the tested versions are known. */
function oldestOf(name, id) {
  if (name === 'TypeScript') return { oldest: ['5.4'] }
  const [, , versions] =
    statedRows.find(
      ([first, , third]) =>
        [`| ${name}`, `| \`${id}\``].includes(first) && /^[\d., ]+$/.test(third),
    ) ?? []
  return versions && { oldest: versions.split(', ') }
}

const ofRuntimes = Object.entries(runtimes()).map(([name, versions]) => [name, { versions }])
/** The first source has the package under its own name. */
const ofPackages = Object.entries(SOURCES).map(([name, sources]) => {
  const [, id] = sources[0].split(' ')
  return [name, { package: id, versions: sources.map(versionOf), ...oldestOf(name, id) }]
})
const supported = Object.fromEntries([...ofRuntimes, ...ofPackages])

const PAGE = 'docs/reference/support.md'

/** The page, with the table between its comments. */
function withTable(page) {
  const rows = Object.entries(supported).map(
    ([name, { versions }]) => `| ${name} | ${versions.join(', ')} |`,
  )
  const table = /(?<=^\| --- \| --- \|\n)[^]*?(?=\n<!-- End)/m
  if (!table.test(page)) throw new Error(`${PAGE} has no table between its comments.`)
  return page.replace(table, `${rows.join('\n')}\n`)
}

const files = [
  ['etc/support.json', `${JSON.stringify(supported, null, 2)}\n`],
  [PAGE, withTable(readIfExists(PAGE))],
]
writeGenerated(new Map(files), { folders: [], command: 'npm run support' })
