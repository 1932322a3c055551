/** The paths of an application: base path and trailing slashes. */
import type { Answer, Visitor } from './visitor.ts'

/** Settings that determine the paths of an application. */
export interface PathOptions {
  /** `basePath` of Next. */
  readonly basePath: string
  /** The end of every path. */
  readonly trailingSlash: '' | '/'
  /** @default that of the library */
  readonly signIn?: string
}

/** Paths, URLs and form submissions of a visitor. */
export function pathsOf(visit: Visitor, { basePath, trailingSlash }: PathOptions) {
  const page = (path: string) =>
    `${basePath}${path}${path.endsWith(trailingSlash) ? '' : trailingSlash}`
  const route = (path: string) => page(`/api/auth/${path}`)
  return {
    page,
    route,
    url: (path: string) => `${visit.origin}${basePath}${path}`,
    /** Sends a form to a route, with its CSRF token. */
    post: async (path: string, fields: Record<string, string>): Promise<Answer> => {
      const { text } = await visit.send(route('csrf'))
      const { csrfToken } = JSON.parse(text) as { csrfToken: string }
      const body = new URLSearchParams({ csrfToken, ...fields })
      return visit.send(route(path), { method: 'POST', body })
    },
  }
}
