export default defineNuxtConfig({
  compatibilityDate: '2026-11-01',
  telemetry: false,
  devtools: { enabled: false },
  routeRules: { '/cached': { swr: 60 } },
  // A handler that the test calls in its own process. Without packages of its own, because Vitest starts Node.js with the
  // condition `development`.
  nitro: { preset: 'node-listener', noExternals: true },
})
