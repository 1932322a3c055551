/** Visits of a development server that reloads its pages. */

/** What Vite prints when it reloads pages, and Nuxt instead of it: they found a dependency, or a file has changed. */
const RELOAD = /optimized dependencies changed\. reloading|page reload/g

function countReloads(output: string): number {
  return output.match(RELOAD)?.length ?? 0
}

/**
 * Makes a visit, and repeats it if it fails after Vite reloaded the page: the browser drops a click or a navigation of
 * this moment. A visit has to open a page of its own.
 */
export async function visitDespiteReloads(
  output: () => string,
  visit: () => Promise<void>,
): Promise<void> {
  const before = countReloads(output())
  try {
    await visit()
  } catch (error) {
    if (countReloads(output()) === before) throw error
    await visitDespiteReloads(output, visit)
  }
}
