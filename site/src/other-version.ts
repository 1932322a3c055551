import { defineRouteMiddleware } from '@astrojs/starlight/route-data'
import version from '../.content/version.json'

/** Written by the build: in a fresh checkout, the file does not exist. */
interface Version {
  readonly notice?: string
  readonly url: string
  /** Routes that the latest release does not have. */
  readonly unreleased: readonly string[]
}

const { notice, url, unreleased }: Version = version

/** A version that is not the latest release says so, and leads readers and search engines to the page of that release. */
export const onRequest = defineRouteMiddleware(({ locals }) => {
  const { id, entry, head } = locals.starlightRoute
  head.push({ tag: 'meta', attrs: { name: 'robots', content: 'noindex' } })
  if (id === '404') return
  if (unreleased.includes(id)) {
    entry.data.banner = {
      content: `${notice} The <a href="/">latest release</a> does not have it.`,
    }
    return
  }
  const path = id === '' ? '/' : `/${id}/`
  head.push({ tag: 'link', attrs: { rel: 'canonical', href: `${url}${path}` } })
  entry.data.banner = {
    content: `${notice} <a href="${path}">Read the page of the latest release</a>.`,
  }
})
