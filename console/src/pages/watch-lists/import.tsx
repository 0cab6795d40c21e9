import { FileInput, Stack } from '@mantine/core'
import type { Watchlist } from '@vostro/sdk'
import { useState } from 'react'
import { Action } from '../../ui/action.tsx'
import { api } from '../../ui/api.ts'
import { counted } from '../../ui/words.ts'
import { listFiles, optionalFiles } from '../../values.made.ts'

type FileName = (typeof listFiles)[Watchlist['format']][number]

const labels: Readonly<Record<string, string>> = {
  list: 'The list',
  sdn: 'Main file (sdn.csv)',
  alt: 'Aliases (alt.csv)',
  add: 'Addresses (add.csv)',
}

/** Large lists need a long timeout: the service ends an import after five minutes. */
const timeout_ms = 330_000

export function Import({ list: { id, format } }: { list: Watchlist }) {
  const [files, setFiles] = useState<Partial<Record<FileName, File>>>({})
  const wanted: readonly FileName[] = listFiles[format]
  const optional: readonly string[] = optionalFiles[format]
  return (
    <Action
      operation="importWatchlistVersion"
      label="Import a version"
      isReady={wanted.every((name) => optional.includes(name) || files[name] !== undefined)}
      run={() => api.operator.watchlists.importVersion(id, files, { timeout_ms })}
      done={({ entries }) => `${counted(entries, 'entry', 'entries')} imported. Activate the version to use it.`}
      after={() => setFiles({})}
    >
      <Stack gap="sm">
        <span>
          A publication is imported as a whole, or refused with the file, line and reason. Nothing changes until the version is activated.
        </span>
        {wanted.map((name) => (
          <FileInput
            key={name}
            label={labels[name] ?? name}
            required={!optional.includes(name)}
            placeholder="Choose a file"
            clearable
            value={files[name] ?? null}
            onChange={(file) => setFiles(({ [name]: _, ...others }) => (file === null ? others : { ...others, [name]: file }))}
          />
        ))}
      </Stack>
    </Action>
  )
}
