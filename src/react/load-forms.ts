import type * as Forms from './forms.ts'

/** Loads what a page does not need to be shown. */
export function loadForms(): Promise<typeof Forms> {
  return import('./forms.ts')
}
