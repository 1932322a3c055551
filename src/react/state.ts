import { routes } from '../client/page-state.ts'
import type * as Forms from './forms.ts'

/** Loaded on demand: not needed to show a page. */
export function loadForms(): Promise<typeof Forms> {
  return import('./forms.ts')
}

export function pageUrl(page: string, query?: Record<string, string>): string {
  const search = new URLSearchParams({ ...query, callbackUrl: globalThis.location.href })
  return `${routes().url}/${page}?${search}`
}
