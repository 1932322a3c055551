/** Waits for modules that a request preloads: files share a process, and an import that a file leaves unfinished fails. */
import { afterAll, vi } from 'vitest'

afterAll(() => vi.dynamicImportSettled())
