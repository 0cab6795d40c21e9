// Compares two samples of times.

export type Samples = { known: number[]; unknown: number[] }

type Summary = { median: number; mean: number }

export type Comparison = {
  known: Summary
  unknown: Summary
  /** Mann and Whitney: whether one sample tends to be slower. It asks for no distribution, and outliers count little. */
  rank_z: number
  /** Welch's test without the slowest and fastest times: detects a small shift of all times. */
  trimmed_t: number
  differs: boolean
}

/** Beyond this, chance alone would show a difference once in some thousand runs for each test. */
const bound = 3.7

export function compare({ known, unknown }: Samples): Comparison {
  const rank_z = rankZ(known, unknown)
  const trimmed_t = welchT(trimmed(known), trimmed(unknown))
  const differs = Math.abs(rank_z) > bound || Math.abs(trimmed_t) > bound
  return { known: summaryOf(known), unknown: summaryOf(unknown), rank_z, trimmed_t, differs }
}

function summaryOf(values: readonly number[]): Summary {
  return { median: sorted(values)[Math.floor(values.length / 2)] ?? Number.NaN, mean: meanOf(values) }
}

const sorted = (values: readonly number[]) => values.toSorted((one, other) => one - other)
const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

/** Without the 5 % at either end. */
function trimmed(values: readonly number[]): number[] {
  const cut = Math.floor(values.length * 0.05)
  return sorted(values).slice(cut, values.length - cut)
}

function welchT(one: readonly number[], other: readonly number[]): number {
  const squareOf = (values: readonly number[]) => {
    const mean = meanOf(values)
    return values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1) / values.length
  }
  return (meanOf(one) - meanOf(other)) / Math.sqrt(squareOf(one) + squareOf(other))
}

function rankZ(one: readonly number[], other: readonly number[]): number {
  const all = [...one.map((value) => ({ value, isOne: true })), ...other.map((value) => ({ value, isOne: false }))].sort(
    (a, b) => a.value - b.value,
  )
  let ranks = 0
  for (let start = 0; start < all.length; ) {
    let end = start
    while (end + 1 < all.length && all[end + 1]?.value === all[start]?.value) end++
    // Equal values share their ranks.
    for (let at = start; at <= end; at++) if (all[at]?.isOne) ranks += (start + end) / 2 + 1
    start = end + 1
  }
  const [n, m] = [one.length, other.length]
  const u = ranks - (n * (n + 1)) / 2
  return (u - (n * m) / 2) / Math.sqrt((n * m * (n + m + 1)) / 12)
}
