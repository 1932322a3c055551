// @vitest-environment jsdom
/** The section of docs/guides/testing.md about components: its test runs as a test of this file. */
import { openGuide } from './guide.ts'

await openGuide('testing').load('greeting.test.tsx')
