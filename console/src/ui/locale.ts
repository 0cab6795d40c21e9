/** The notation of numbers that a person is used to, as their browser says; English where it says nothing that is known. */
export function personLocale(): string {
  try {
    return Intl.NumberFormat.supportedLocalesOf([...navigator.languages])[0] ?? 'en'
  } catch {
    return 'en'
  }
}
