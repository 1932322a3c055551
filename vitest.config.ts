import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** Of what the packages in their folder find, and not of this one. */
function installed(folder: string, file: string): string {
  return fileURLToPath(new URL(`${folder}/node_modules/${file}`, import.meta.url))
}

const react18 = (file: string) => installed('test/apps/react-18', file)

export default defineConfig({
  test: {
    testTimeout: 20_000,
    // One less is the default, which leaves a core of two without work.
    maxWorkers: '100%',
    coverage: { provider: 'v8', include: ['src/**'] },
    projects: [
      {
        extends: true,
        test: { name: 'all', include: ['test/**/*.test.{ts,tsx}'], env: { REACT: '19' } },
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
          include: ['test/wrappers/react*.test.tsx'],
          env: { REACT: '18.2.0' },
          server: { deps: { inline: [/@testing-library\/react/] } },
        },
      },
    ],
  },
})
