/** Deletes the process memory of the library before each test: attempts of one test must not count in the next. */
import { beforeEach } from 'vitest'

function deleteMemory(): void {
  Reflect.deleteProperty(globalThis, Symbol.for('lib-auth.process.1'))
}

// Also before a test file is loaded: some sign in to find out what to test.
deleteMemory()
beforeEach(deleteMemory)
