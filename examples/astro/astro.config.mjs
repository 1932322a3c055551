import node from '@astrojs/node'
import { defineConfig } from 'astro/config'

export default defineConfig({
  output: 'server',
  adapter: node({ mode: 'standalone' }),
  // Astro rejects forms of hosts that are not listed.
  security: { allowedDomains: [{ hostname: 'localhost' }] },
})
