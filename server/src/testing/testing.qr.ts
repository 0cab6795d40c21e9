// Reads QR codes that the service has drawn.
import jsqr from 'jsqr'

/** Draws the image with three pixels for each module and lets a QR reader decode it. */
export function decodedQr(svg: string): string | undefined {
  const [, size = ''] = /viewBox="0 0 (\d+) \d+"/.exec(svg) ?? []
  const scale = 3
  const width = Number(size) * scale
  const pixels = new Uint8ClampedArray(width * width * 4).fill(255)
  for (const [, x, y] of svg.matchAll(/M(\d+) (\d+)h1v1h-1z/g)) {
    for (let pixel = 0; pixel < scale * scale; pixel++) {
      const [column, row] = [Number(x) * scale + (pixel % scale), Number(y) * scale + Math.floor(pixel / scale)]
      pixels.fill(0, (row * width + column) * 4, (row * width + column) * 4 + 3)
    }
  }
  return jsqr.default(pixels, width, width)?.data
}
