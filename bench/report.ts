// Runs scenarios back to back, several times, and prints how the measured one compares with each of the others.

export type Figures = { perSecond: number; p50_ms: number; p99_ms: number }

type Options = { measured: string; rounds: number; seconds: number }

export async function report(
  scenarios: Record<string, (seconds: number) => Promise<Figures>>,
  { measured, rounds, seconds }: Options,
): Promise<void> {
  const names = Object.keys(scenarios)
  // Compiles the hot code and fills the caches.
  for (const run of Object.values(scenarios)) await run(2)
  const ratios: Record<string, number[]> = {}
  for (let round = 1; round <= rounds; round++) {
    const figures: Record<string, Figures> = {}
    for (const [name, run] of Object.entries(scenarios)) figures[name] = await run(seconds)
    console.log(`round ${round} of ${rounds}`)
    for (const name of names) {
      const { perSecond, p50_ms, p99_ms } = figures[name] as Figures
      const ratio = (figures[measured] as Figures).perSecond / perSecond
      if (name !== measured) ratios[name] = [...(ratios[name] ?? []), ratio]
      const compared = name === measured ? '' : `  ratio ${ratio.toFixed(2)}`
      console.log(
        `  ${name.padEnd(28)}${perSecond.toFixed(0).padStart(7)}/s  p50 ${p50_ms.toFixed(1).padStart(6)} ms  p99 ${p99_ms.toFixed(1).padStart(6)} ms${compared}`,
      )
    }
  }
  for (const [name, values] of Object.entries(ratios)) {
    const median = values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
    console.log(`median: ${measured} is ${median.toFixed(2)} × ${name}`)
  }
}
