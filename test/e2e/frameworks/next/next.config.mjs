import { fileURLToPath } from 'node:url'

/** The folder of the repository. */
const root = fileURLToPath(import.meta.url.replace(/test\/[^]*/, ''))

export default {
  outputFileTracingRoot: root,
  turbopack: { root },
  // The test checks types with the compiler of the repository.
  typescript: { ignoreBuildErrors: true },
}
