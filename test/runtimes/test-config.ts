/** The configuration of the test that loads a recipe. */
import type { AuthConfig } from '../../src/index.ts'

const site = Reflect.get(globalThis, Symbol.for('lib-auth.site')) as { config: AuthConfig }

export const { config } = site
