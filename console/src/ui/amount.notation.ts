// How numbers are written in a locale, as far as the forms also read it.

/** The digits that are read, by the name of their system. */
export const digitSystems = { latn: '0123456789', arab: '٠١٢٣٤٥٦٧٨٩', arabext: '۰۱۲۳۴۵۶۷۸۹' } as const

/** Ends with a mark between thousands that is read, and three digits. */
const thousandsAreRead = /[.,'’٬\s]\p{Nd}{3}$/u

/** In Latin digits if those of the locale are not read, and without marks between thousands if those are not. */
export function notationOf(locale: string, { useGrouping, decimals }: { useGrouping: boolean; decimals: number }): Intl.NumberFormat {
  const own = new Intl.NumberFormat(locale).resolvedOptions().numberingSystem
  const digits = { numberingSystem: own in digitSystems ? own : 'latn' }
  return new Intl.NumberFormat(locale, {
    ...digits,
    useGrouping: useGrouping && thousandsAreRead.test(new Intl.NumberFormat(locale, digits).format(1_234_567)),
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  })
}
