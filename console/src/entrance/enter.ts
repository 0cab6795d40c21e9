/** Opens the page that somebody wanted before they had to sign in. Only a page of this console: the address comes from outside. */
export function enter(): void {
  const to = new URLSearchParams(location.search).get('to') ?? ''
  location.assign(pathInside(to))
}

export function pathInside(to: string): string {
  return /^\/console\/(?!sign-in)[\w\-./?=&%:+,~]*$/.test(to) ? to : '/console/'
}
