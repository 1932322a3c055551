import { readFileSync } from 'node:fs'
import starlight from '@astrojs/starlight'
import { defineConfig, passthroughImageService } from 'astro/config'
import { finishedPages } from './finished-pages.mjs'

const read = (file) => JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8'))
const { repository } = read('../package.json')
const { base, url, redirects } = read('.content/version.json')
const isLatest = base === '/'

export default defineConfig({
  base,
  outDir: `./dist${base}`,
  // Only the latest release has a sitemap and links that are canonical.
  site: isLatest && url ? url : undefined,
  redirects: Object.fromEntries(
    Object.entries(redirects).map(([old, route]) => [`/${old}/`, `${base}${route}/`]),
  ),
  trailingSlash: 'always',
  image: { service: passthroughImageService() },
  // Quotes as they are written: a text may be copied from here into code.
  markdown: { smartypants: false },
  integrations: [
    // Before the search index is built from the pages.
    finishedPages(base),
    starlight({
      title: 'lib-auth',
      favicon: '/favicon.svg',
      social: [
        { icon: 'github', label: 'Source', href: repository.url.replace(/^git\+|\.git$/g, '') },
      ],
      customCss: ['./src/styles.css'],
      components: {
        MobileMenuToggle: './src/components/MobileMenuToggle.astro',
        PageTitle: './src/components/PageTitle.astro',
        Search: './src/components/Search.astro',
        SocialIcons: './src/components/Versions.astro',
      },
      routeMiddleware: isLatest ? [] : './src/other-version.ts',
      // Log lines and URLs; code keeps its lines.
      expressiveCode: { defaultProps: { overridesByLang: { text: { wrap: true } } } },
      tableOfContents: { minHeadingLevel: 2, maxHeadingLevel: 3 },
      sidebar: read('.content/sidebar.json'),
    }),
  ],
})
