/** Opens the page that somebody wanted before they had to sign in. Only a page of this console: the address comes from outside. */
export function enter(): void {
  const to = new URLSearchParams(location.search).get('to') ?? ''
  location.assign(pathInside(to))
}

/** Compared as browsers resolve it, because dots in a path, even encoded ones, lead out of the console: to pages that redirect elsewhere, for one. */
export function pathInside(to: string): string {
  if (!/^\/console\/[\w\-./?=&%:+,~]*$/.test(to)) return '/console/'
  const { pathname, search } = new URL(to, 'https://console.invalid')
  return /^\/console\/(?!sign-in|passkey)/.test(pathname) ? pathname + search : '/console/'
}
