import node from '@astrojs/node'
import { defineConfig } from 'astro/config'

export default defineConfig({
  adapter: node({ mode: 'middleware' }),
  output: 'server',
  // Astro rejects forms of all hosts that are not listed here.
  security: { allowedDomains: [{ hostname: '127.0.0.1' }] },
})
