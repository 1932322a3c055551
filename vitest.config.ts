import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { FileOrder } from './test/setup/file-order.ts'
import { pageScript } from './tools/page-script.mjs'

/** Of what the packages in their folder find, and not of this one. */
function installed(folder: string, file: string): string {
  return fileURLToPath(new URL(`${folder}/node_modules/${file}`, import.meta.url))
}

/**
 * What takes minutes: whole applications on Next.js, behind proxies, or with TypeScript of another release, other
 * frameworks, releases, runtimes and test runners, what is installed from the registry, simulated attacks, a fault of
 * every call, processes that are killed after each step, users with thousands of sessions, the documentation site, and libraries that slow down every promise of a
 * process. Part of the gate, and not of `npm test`.
 */
const LONG = [
  'test/e2e/*-15.test.ts',
  'test/e2e/app-16.test.ts',
  'test/e2e/pages-16.test.ts',
  'test/e2e/limit-pages.test.ts',
  'test/e2e/provider-logout.test.ts',
  'test/e2e/passkeys-*.test.ts',
  'test/e2e/server-examples.test.ts',
  'test/e2e/cluster.test.ts',
  'test/e2e/cluster-demo.test.ts',
  'test/adapters/crash.test.ts',
  'test/e2e/frameworks/*.test.ts',
  'test/frameworks/oldest-servers.test.ts',
  'test/core/faults/*.test.ts',
  'test/core/limits/attacks.test.ts',
  'test/core/limits/collations.test.ts',
  'test/core/limits/processes.test.ts',
  'test/core/limits/races.test.ts',
  'test/core/session/many-sessions.test.ts',
  'test/core/account/processes.test.ts',
  'test/core/logout/processes.test.ts',
  'test/core/tokens/processes.test.ts',
  'test/cli/database/migrate-interrupted.test.ts',
  'test/cli/migrate-imports/application.test.ts',
  'test/cli/migrate-imports/guide.test.ts',
  'test/cli/upgrade-applications.test.ts',
  'test/docs/site.test.ts',
  'test/e2e/origin/*.test.ts',
  'test/guides/migrate.test.ts',
  'test/package/applications.test.ts',
  'test/package/call-an-api-guide.test.ts',
  'test/package/dependency-trees.test.ts',
  'test/package/documents.test.ts',
  'test/package/jest-modules.test.ts',
  'test/package/middleware-size.test.ts',
  'test/package/mocked-tests.test.ts',
  'test/package/passkeys-guide.test.ts',
  'test/package/release-command.test.ts',
  'test/package/server-guides.test.ts',
  'test/package/simulated-attacks.test.ts',
  'test/package/workflows.test.ts',
  'test/runtimes/*.test.ts',
  'test/types/augmentation.test.ts',
  'test/upgrade/downgrade.test.ts',
  'test/upgrade/rows-servers.test.ts',
  'test/types/entry-points.test.ts',
  'test/types/compilers.test.ts',
  'test/types/without-dom.test.ts',
]

/** The core, from the first to the last byte of a request. */
const CORE = [
  'test/core/{actions,config,crypto,database,errors,flows,identity,log,pages,session}/*.test.ts',
  // Others start processes, have a provider that runs on Node.js only, or test rows and responses, which are the same.
  'test/core/tokens/{access-token,accounts,cookies,scopes,stored-tokens}.test.ts',
]

/**
 * The router of Fastify throws on absolute request targets in Deno (`const { parse } = URL`), and the programs of
 * database servers are found with `import.meta.resolve`, which Vitest does not have there.
 */
const NOT_ON_DENO = process.env['RUNTIME']?.startsWith('deno')
  ? ['test/frameworks/{fastify,node-requests}.test.ts', 'test/core/session/lifetimes.test.ts']
  : []

const react18 = (file: string) => installed('test/apps/react-18', file)

export default defineConfig({
  plugins: [pageScript()],
  test: {
    // How long something may take is not for a test to say: this ends what hangs, on a slow machine as well.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    // Tests wait for servers, browsers and clocks.
    maxWorkers: availableParallelism() + 1,
    coverage: { provider: 'v8', include: ['src/**'] },
    sequence: { sequencer: FileOrder },
    projects: [
      {
        extends: true,
        test: {
          name: 'all',
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: ['**/node_modules/**', ...LONG],
          setupFiles: [
            'test/setup/settled-imports.ts',
            'test/setup/fresh-process-memory.ts',
            'test/setup/restored-globals.ts',
            'test/setup/platform-classes.ts',
          ],
          // No file leaves anything behind for the next; to load all modules for each takes as long as the tests.
          isolate: false,
          env: { REACT: '19' },
        },
      },
      {
        // With more workers, development servers and browsers would wait for each other.
        extends: true,
        test: {
          name: 'long',
          include: LONG,
          setupFiles: ['test/setup/fresh-process-memory.ts'],
          globalSetup: 'test/setup/packed-package.ts',
          // Node.js loads the built applications, as in production: Vite would transform the copy of each site once more.
          server: { deps: { external: [/\/\.sites\//] } },
          maxWorkers: availableParallelism(),
          // Of one file, those that wait for the registry or a browser.
          maxConcurrency: 3,
          sequence: { groupOrder: 1 },
        },
      },
      {
        // Started by test/runtimes/suites.test.ts on other runtimes.
        extends: true,
        test: {
          name: 'other runtime',
          include: [
            ...CORE,
            // With `RESPONSE`, everything that could share a header between users.
            `test/security/${process.env['RESPONSE'] ? '*' : 'csrf'}.test.ts`,
            'test/frameworks/{node,node-requests,express,fastify,hono}.test.ts',
          ],
          exclude: ['**/node_modules/**', ...NOT_ON_DENO],
          setupFiles: [
            'test/setup/settled-imports.ts',
            'test/setup/fresh-process-memory.ts',
            'test/setup/restored-globals.ts',
            'test/setup/runtime.ts',
            'test/setup/response-keeps-headers.ts',
          ],
          isolate: false,
        },
      },
      {
        // Started by tools/freeze.mjs.
        extends: true,
        test: { name: 'freeze', include: ['test/upgrade/freeze*.run.ts'] },
      },
      {
        // Started by test/runtimes/recipes.test.ts on the runtime of a recipe.
        extends: true,
        test: {
          name: 'recipe',
          include: ['test/runtimes/recipe.check.ts'],
          setupFiles: ['test/setup/runtime.ts'],
        },
      },
      {
        // What is about React once more, with the oldest one that is supported.
        extends: true,
        resolve: {
          alias: [
            { find: /^react$/, replacement: react18('react/index.js') },
            { find: /^react\/(jsx(?:-dev)?-runtime)$/, replacement: react18('react/$1.js') },
            { find: /^react-dom$/, replacement: react18('react-dom/index.js') },
            { find: /^react-dom\/server$/, replacement: react18('react-dom/server.node.js') },
            { find: /^react-dom\/(client|test-utils)$/, replacement: react18('react-dom/$1.js') },
            {
              find: /^@testing-library\/react$/,
              replacement: installed(
                '.',
                '@testing-library/react/dist/@testing-library/react.esm.js',
              ),
            },
          ],
        },
        test: {
          name: 'react 18',
          include: ['test/browser/react*.test.tsx'],
          env: { REACT: '18.2.0' },
          server: { deps: { inline: [/@testing-library\/react/] } },
        },
      },
    ],
  },
})
