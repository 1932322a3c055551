import { fileURLToPath } from 'node:url'
import type { NextConfig } from 'next'

const config: NextConfig = {
  // The package is linked from the root of the repository.
  turbopack: { root: fileURLToPath(new URL('../..', import.meta.url)) },
}

export default config
