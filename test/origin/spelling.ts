/** How an application spells its paths. */
import type { Answer, Visitor } from './visitor.ts'

/** The spelling of an application. */
export interface Spelling {
  /** `basePath` of Next. */
  readonly mount: string
  /** What paths end with. */
  readonly slash: '' | '/'
  /** @default that of the library */
  readonly signIn?: string
}

/** What a visitor asks for, in that spelling. */
export function spelled(visit: Visitor, { mount, slash }: Spelling) {
  const page = (path: string) => `${mount}${path}${path.endsWith(slash) ? '' : slash}`
  const route = (path: string) => page(`/api/auth/${path}`)
  return {
    page,
    route,
    url: (path: string) => `${visit.origin}${mount}${path}`,
    /** Sends a form to a route, with its CSRF token. */
    post: async (path: string, fields: Record<string, string>): Promise<Answer> => {
      const { text } = await visit.send(route('csrf'))
      const { csrfToken } = JSON.parse(text) as { csrfToken: string }
      const body = new URLSearchParams({ csrfToken, ...fields })
      return visit.send(route(path), { method: 'POST', body })
    },
  }
}
