/** Other paths of the protected page. The type `Reroute` has another module in SvelteKit 3. */
export const reroute = ({ url }: { url: URL }): string | undefined =>
  /^\/(?:alias|de\/guarded)$/.test(url.pathname) ? '/guarded' : undefined
