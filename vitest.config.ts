import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.{ts,tsx}'],
    testTimeout: 20_000,
    // One less is the default, which leaves a core of two without work.
    maxWorkers: '100%',
    coverage: { provider: 'v8', include: ['src/**'] },
  },
})
