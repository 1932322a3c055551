/** Deletes the process memory of the library before each test: attempts of one test must not count in the next. */
import { beforeEach } from 'vitest'

beforeEach(() => void Reflect.deleteProperty(globalThis, Symbol.for('lib-auth.process.1')))
