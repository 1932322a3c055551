import type { Reroute } from '@sveltejs/kit'

/** Other paths of the protected page. */
export const reroute: Reroute = ({ url }) =>
  /^\/(?:alias|de\/guarded)$/.test(url.pathname) ? '/guarded' : undefined
