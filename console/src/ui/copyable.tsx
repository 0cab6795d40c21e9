// A text that one click copies.
import { UnstyledButton } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'

export function Copyable({ text, shown = text, label = 'Copy' }: { text: string; shown?: string; label?: string }) {
  const { copy, copied } = useClipboard({ timeout: 1_500 })
  return (
    <UnstyledButton className="copyable" title={copied ? 'Copied' : label} onClick={() => copy(text)}>
      <span className="mono">{shown}</span>
      <svg
        aria-hidden="true"
        className="copy-sign"
        viewBox="0 0 14 14"
        width="13"
        height="13"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
      >
        {copied ? <path d="M2 7.5 5.5 11 12 3.5" /> : <path d="M4.5 4.5V1.5h8v8h-3M1.5 4.5h8v8h-8z" />}
      </svg>
      <span className="visually-hidden" role="status">
        {copied ? 'Copied' : label}
      </span>
    </UnstyledButton>
  )
}
