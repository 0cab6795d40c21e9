// Code, JSON and commands that one click copies.
import { Button, Code } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'

type Options = {
  text: string
  label?: string
  /** Breaks long lines and does not scroll. */
  wraps?: boolean
  /** A dialog begins with copying it. */
  isFirst?: boolean
}

export function Snippet({ text, label = 'Copy', wraps = false, isFirst = false }: Options) {
  const { copy, copied } = useClipboard({ timeout: 1_500 })
  return (
    <div className="snippet">
      <Code block tabIndex={0} className={wraps ? 'snippet-wraps' : ''}>
        {text}
      </Code>
      <Button
        variant="default"
        size="compact-xs"
        className="snippet-copy"
        onClick={() => copy(text)}
        {...(isFirst && { 'data-autofocus': true })}
      >
        {copied ? 'Copied' : label}
      </Button>
      <span className="visually-hidden" role="status">
        {copied ? 'Copied' : ''}
      </span>
    </div>
  )
}

export function Json({ value }: { value: unknown }) {
  return <Snippet text={JSON.stringify(value, null, 2)} />
}
