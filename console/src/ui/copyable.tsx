// A text that one click copies.
import { UnstyledButton } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'

export function Copyable({ text, shown = text, label = 'Copy' }: { text: string; shown?: string; label?: string }) {
  const { copy, copied } = useClipboard({ timeout: 1_500 })
  return (
    <UnstyledButton className="copyable" title={copied ? 'Copied' : label} onClick={() => copy(text)}>
      <span className="mono">{shown}</span>
      <span className="copy-sign">
        <svg aria-hidden="true" width="12" height="12" viewBox="0 0 16 16" fill="none" stroke="currentColor" strokeWidth="1.6">
          {copied ? <path d="M3 8.5 6.5 12 13 4.5" /> : <path d="M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3" />}
        </svg>
      </span>
      <span className="visually-hidden" role="status">
        {copied ? 'Copied' : label}
      </span>
    </UnstyledButton>
  )
}
