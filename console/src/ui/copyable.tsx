// A text with a copy button.
import { UnstyledButton } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'

export function Copyable({ text, shown = text, label = 'Copy' }: { text: string; shown?: string; label?: string }) {
  const { copy, copied } = useClipboard({ timeout: 1_500 })
  return (
    <UnstyledButton className="copyable" title={copied ? 'Copied' : label} onClick={() => copy(text)}>
      <span className="mono">{shown}</span>
      <span aria-hidden="true" className="copy-sign">
        {copied ? '✓' : <Sheets />}
      </span>
      <span className="visually-hidden" role="status">
        {copied ? 'Copied' : label}
      </span>
    </UnstyledButton>
  )
}

/** The copy icon. Not every font has a character for it. */
function Sheets() {
  return (
    <svg width="13" height="13" viewBox="0 0 14 14" fill="none" stroke="currentColor" strokeWidth="1.4" aria-hidden="true">
      <rect x="4.7" y="4.7" width="8" height="8" rx="1.6" />
      <path d="M9.3,2.6 V2.3 A1,1 0 0 0 8.3,1.3 H2.3 A1,1 0 0 0 1.3,2.3 V8.3 A1,1 0 0 0 2.3,9.3 H2.6" />
    </svg>
  )
}
