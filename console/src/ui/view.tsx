// The chosen view of a list. It is in the URL, like the filters.
import { SegmentedControl } from '@mantine/core'
import { useFilters } from './list.tsx'

/** The first view has no parameter in the URL. */
export function useView<Name extends string>(names: readonly [Name, ...Name[]]): Name {
  const [{ view }] = useFilters()
  return names.find((name) => name === view) ?? names[0]
}

export function Views<Name extends string>({ label, views }: { label: string; views: readonly (readonly [Name, string])[] }) {
  const [{ view }, change] = useFilters()
  const first = views[0]?.[0] ?? ''
  return (
    <SegmentedControl
      aria-label={label}
      className="views"
      value={views.some(([name]) => name === view) ? (view as string) : first}
      onChange={(chosen) => change({ view: chosen === first ? undefined : chosen })}
      data={views.map(([value, text]) => ({ value, label: text }))}
    />
  )
}
