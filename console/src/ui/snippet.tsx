// Code or JSON with a copy button.
import { Button, Code } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'

type Options = {
  text: string
  label?: string
  /** Wraps long lines instead of scrolling. */
  wraps?: boolean
  /** Gives the copy button the initial focus of a dialog. */
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
