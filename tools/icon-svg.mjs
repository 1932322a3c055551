/** A medium gray, which is visible on light and dark pages. */
const GRAY = '#808080'

/** The icon of a provider as an SVG file; `undefined` if it has none. */
export async function iconSvg({ style }) {
  const icon = await style?.icon?.()
  if (!icon) return undefined
  const paths = icon.paths.map(({ d, fill }) => `<path${fill ? ` fill="${fill}"` : ''} d="${d}"/>`)
  return `<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20" viewBox="0 0 24 24" fill="${GRAY}">${paths.join('')}</svg>\n`
}
