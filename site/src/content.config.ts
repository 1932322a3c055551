import { docsSchema } from '@astrojs/starlight/schema'
import { defineCollection } from 'astro:content'
import { glob } from 'astro/loaders'

/** Written by tools/site.mjs. */
export const collections = {
  docs: defineCollection({
    loader: glob({ base: '.content', pattern: '**/*.md' }),
    schema: docsSchema(),
  }),
}
