// The form that decides a case. By keyboard: arrows choose, Tab moves on, Ctrl+Enter decides.
import { Button, Group, Kbd, Radio, Select, Stack, Text, Textarea, TextInput } from '@mantine/core'
import type { CaseWithSubject } from '@vostro/sdk'
import { type FormEvent, type KeyboardEvent, useState } from 'react'
import { useDoing } from '../../ui/action.tsx'
import { api } from '../../ui/api.ts'
import { Block, Empty } from '../../ui/page.tsx'
import { ProblemNote } from '../../ui/problem.tsx'
import { useMay } from '../../ui/session.ts'
import { VentureSelect } from '../../ui/venture-select.tsx'
import { type Detail, decisionWords, detailsOf, isComplete } from './cases.words.ts'

export function Decide({ of }: { of: CaseWithSubject }) {
  const { id, kind, allowed_decisions, payload } = of
  const may = useMay()
  const [decision, setDecision] = useState<string>()
  const [texts, setTexts] = useState<Record<string, string>>({})
  const [comment, setComment] = useState('')
  const details = decision === undefined ? undefined : detailsOf(kind, decision, texts)
  const { mutate, isPending, error } = useDoing({
    run: () =>
      api.operator.cases.decide(id, {
        decision: decision ?? '',
        ...(details !== undefined && { details }),
        ...(comment.trim() !== '' && { comment: comment.trim() }),
      }),
    done: 'The case is decided.',
    after: () => document.getElementById('next-case')?.focus(),
  })
  if (!may('decideCase')) return null
  if (allowed_decisions.length === 0)
    return (
      <Block title="Decision">
        <Empty title="Nothing to decide now.">The subject of the case has changed. It may need another approval first.</Empty>
      </Block>
    )
  const chosen = decision === undefined ? undefined : decisionWords(kind, decision)
  const isReady = decision !== undefined && comment.trim() !== '' && isComplete(kind, decision, texts)
  const submit = (event?: FormEvent) => {
    event?.preventDefault()
    if (isReady && !isPending) mutate()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit()
  }
  return (
    <Block title="Decision">
      <form onSubmit={submit} onKeyDown={onKeyDown}>
        <Stack gap="md">
          <Radio.Group label="Decision" value={decision ?? ''} onChange={setDecision}>
            <Stack gap="xs" mt="xs">
              {allowed_decisions.map((one) => (
                <Choice key={one} kind={kind} decision={one} isProposed={payload['proposes'] === one} />
              ))}
            </Stack>
          </Radio.Group>
          {chosen?.details?.map((detail) => (
            <DetailField
              key={`${decision} ${detail.name}`}
              detail={detail}
              value={texts[detail.name] ?? ''}
              onChange={(value) => setTexts({ ...texts, [detail.name]: value })}
            />
          ))}
          <Textarea
            label="Reason"
            description="For the second person, and for the record."
            required
            autosize
            minRows={2}
            maxLength={255}
            maw={640}
            value={comment}
            onChange={(e) => setComment(e.currentTarget.value)}
          />
          <ProblemNote error={error} />
          <Group gap="sm">
            <Button
              type="submit"
              loading={isPending}
              disabled={!isReady}
              {...(chosen?.danger && { color: 'red' })}
              aria-keyshortcuts="Control+Enter"
            >
              {chosen === undefined ? 'Decide' : `Decide: ${chosen.label.toLowerCase()}`}
            </Button>
            <Text size="sm" c="dimmed" visibleFrom="sm">
              <Kbd size="xs">Ctrl</Kbd> <Kbd size="xs">Enter</Kbd>
            </Text>
          </Group>
        </Stack>
      </form>
    </Block>
  )
}

function Choice({ kind, decision, isProposed }: { kind: string; decision: string; isProposed: boolean }) {
  const { label, what, needsTwo } = decisionWords(kind, decision)
  const who = needsTwo ? 'With four-eyes approval on, a second person must approve.' : ''
  return <Radio value={decision} label={isProposed ? `${label} (proposed)` : label} description={[what, who].filter(Boolean).join(' ')} />
}

function DetailField({ detail, value, onChange }: { detail: Detail; value: string; onChange(value: string): void }) {
  const { name, label, description, choices, isOptional = false } = detail
  if (name === 'venture_id') return <VentureSelect label={label} value={value} onChange={onChange} />
  const common = { label, required: !isOptional, maw: 640, ...(description !== undefined && { description }) }
  if (choices === undefined) return <TextInput {...common} value={value} onChange={(e) => onChange(e.currentTarget.value)} />
  return (
    <Select
      {...common}
      value={value === '' ? null : value}
      onChange={(chosen) => onChange(chosen ?? '')}
      data={Object.entries(choices).map(([code, text]) => ({ value: code, label: `${text} (${code})` }))}
    />
  )
}
