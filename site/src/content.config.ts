import { docsSchema } from '@astrojs/starlight/schema'
import type { Loader } from 'astro/loaders'
import { glob } from 'astro/loaders'
import { defineCollection } from 'astro:content'

/** Written by tools/site.mjs. */
const pages = glob({ base: '.content', pattern: '**/*.md' })

/** More than the time after which Astro writes its store, and than that takes. */
const SETTLED = 2000

/**
 * Astro writes its store when it has not changed for half a second, such as while a long page is rendered, and loses what
 * changes during the write. So the last change is made when nothing is being written.
 */
const loader: Loader = {
  ...pages,
  async load(context) {
    await pages.load(context)
    await new Promise((resolve) => setTimeout(resolve, SETTLED))
    context.meta.set('last change', 'made')
    context.meta.delete('last change')
  },
}

export const collections = { docs: defineCollection({ loader, schema: docsSchema() }) }
