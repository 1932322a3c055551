/**
 * Waits for modules that a request preloads where a test replaces NODE_ENV: files share a process, and an import that a
 * file leaves unfinished fails.
 */
import { afterAll, vi } from 'vitest'

afterAll(() => vi.dynamicImportSettled())
