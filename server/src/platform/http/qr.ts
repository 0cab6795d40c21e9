// A QR code as an image that stays sharp at any size.
import qrcode from 'qrcode-generator'

/** The white border that the standard requires, in modules. */
const margin = 4

/** `text` is encoded in UTF-8, with error correction level M: the code can still be read if 15 % of it is damaged. */
export function qrSvg(text: string): string {
  const code = qrcode(0, 'M')
  // The library takes one byte per character.
  code.addData(Buffer.from(text).toString('latin1'))
  code.make()
  const modules = code.getModuleCount()
  const indexes = Array.from({ length: modules }, (_, index) => index)
  const dark = indexes.flatMap((row) => indexes.filter((column) => code.isDark(row, column)).map((column) => ({ row, column })))
  const path = dark.map(({ row, column }) => `M${column + margin} ${row + margin}h1v1h-1z`).join('')
  const size = modules + 2 * margin
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${path}"/></svg>
`
}
