import { createRouter } from '@tanstack/react-router'
import { routeTree } from './routeTree.gen'

/** The pages below /german are those without it. */
function input({ url }: { readonly url: URL }): URL {
  return Object.assign(new URL(url), { pathname: url.pathname.replace(/^\/german(?=\/)/, '') })
}

export const getRouter = () => createRouter({ routeTree, rewrite: { input } })

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof getRouter>
  }
}
