// A text that one click copies.
import { UnstyledButton } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'

export function Copyable({ text, shown = text, label = 'Copy' }: { text: string; shown?: string; label?: string }) {
  const { copy, copied } = useClipboard({ timeout: 1_500 })
  return (
    <UnstyledButton className="copyable" title={copied ? 'Copied' : label} onClick={() => copy(text)}>
      <span className="mono">{shown}</span>
      <span aria-hidden="true" className="copy-sign">
        {copied ? '✓' : '⧉'}
      </span>
      <span className="visually-hidden" role="status">
        {copied ? 'Copied' : label}
      </span>
    </UnstyledButton>
  )
}
