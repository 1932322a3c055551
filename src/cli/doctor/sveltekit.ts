/** What the checks of SvelteKit read from its application. */
import { join } from 'node:path'
import { text } from '../../core/config/variables.ts'
import { readApplication } from '../application.ts'
import { readIfPossible } from '../files.ts'
import { topic } from './context.ts'
import type { Finding, DoctorContext } from './context.ts'

/** Whether Vite bundles the library also where package.json does not name it. */
function bundlesLibrary({ order }: DoctorContext): boolean {
  const paths = ['js', 'mjs', 'ts', 'mts'].map((type) => join(order.folder, `vite.config.${type}`))
  return paths.some((path) => /noExternal:\s*(?:true|[^\]]*lib-auth)/.test(readIfPossible(path)))
}

/** SvelteKit recognizes redirects and errors by the classes of its own copy, which Vite bundles. */
export function* checkSvelteKitCopies(context: DoctorContext): Generator<Finding> {
  const { packages } = readApplication(context.order.folder)
  if (!('@sveltejs/kit' in packages) || 'lib-auth' in packages || bundlesLibrary(context)) return
  yield topic('sveltekit')
    .warning`package.json does not name lib-auth, so a build can contain a second copy of @sveltejs/kit, with which protect and form actions respond with 500. → Write ssr: { noExternal: ['lib-auth'] } in vite.config, with the name of the package that imports lib-auth, if there is one.`
}

/** The adapter for Node of SvelteKit 2 compares the origin of forms with a variable; that of SvelteKit 3 gets it from the build. */
export function* checkSvelteKit(context: DoctorContext): Generator<Finding> {
  const { env, origin } = context
  const { packages } = readApplication(context.order.folder)
  const isSvelteKit2 = /^\D*2\b/.test(String(packages['@sveltejs/kit']))
  if (env['NODE_ENV'] !== 'production' || !isSvelteKit2 || !origin) return
  if (!('@sveltejs/adapter-node' in packages)) return
  const { ok, error } = topic('sveltekit')
  const own = text(env, 'ORIGIN')
  if (own === origin) yield ok`ORIGIN is ${origin}.`
  else if (own !== undefined)
    yield error`ORIGIN is ${own}, but the origin of the site is ${origin}: SvelteKit rejects forms with 403. → Set ORIGIN to ${origin}.`
  else if (origin.startsWith('http:') && text(env, 'PROTOCOL_HEADER') === undefined)
    yield error`ORIGIN is not set, so SvelteKit assumes https and rejects forms with 403. → Set ORIGIN to ${origin}.`
}
