/** The QR code of a text, as SVG without styles or scripts. */
export async function qrCode(text: string): Promise<string> {
  const { renderSVG } = await import('uqr')
  return renderSVG(text, { border: 2 })
}
