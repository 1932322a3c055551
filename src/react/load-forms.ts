import type * as Forms from './forms.ts'

/** Loaded on demand: not needed to show a page. */
export function loadForms(): Promise<typeof Forms> {
  return import('./forms.ts')
}
