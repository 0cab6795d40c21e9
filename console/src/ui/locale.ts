/** The browser's locale for numbers; English if it is unknown. */
export function personLocale(): string {
  try {
    return Intl.NumberFormat.supportedLocalesOf([...navigator.languages])[0] ?? 'en'
  } catch {
    return 'en'
  }
}
