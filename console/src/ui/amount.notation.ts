// The number formats of locales, as far as the forms can also parse them.

/** The supported digits, by numbering system. */
export const digitSystems = { latn: '0123456789', arab: '٠١٢٣٤٥٦٧٨٩', arabext: '۰۱۲۳۴۵۶۷۸۹' } as const

/** Whether a text ends with a supported thousands separator and three digits. */
const thousandsAreRead = /[.,'’٬\s]\p{Nd}{3}$/u

/** Uses Latin digits if the locale's are not supported, and no thousands separators if the locale's are not. */
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
