/** Opens the page that was requested before the sign-in. The address is untrusted, so only pages of this console are accepted. */
export function enter(): void {
  const to = new URLSearchParams(location.search).get('to') ?? ''
  location.assign(pathInside(to))
}

/** Compared as a browser resolves it: dots in a path, even encoded ones, can lead out of the console, for example to a page that redirects elsewhere. */
export function pathInside(to: string): string {
  if (!/^\/console\/[\w\-./?=&%:+,~]*$/.test(to)) return '/console/'
  const { pathname, search } = new URL(to, 'https://console.invalid')
  return /^\/console\/(?!sign-in|passkey)/.test(pathname) ? pathname + search : '/console/'
}
