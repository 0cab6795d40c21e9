// Edits a policy. A dialog lists every change before it is saved.
import { Button, Group, Select, SimpleGrid, Stack, Text, TextInput, Title } from '@mantine/core'
import type { Policy } from '@vostro/sdk'
import { useState } from 'react'
import { Action } from '../../ui/action.tsx'
import { notRead } from '../../ui/amount.reading.ts'
import { AmountInput } from '../../ui/amount-input.tsx'
import { api } from '../../ui/api.ts'
import { PolicyChanges } from '../../ui/policy.changes.tsx'
import {
  amountKinds,
  changesOf,
  changeWords,
  type Draft,
  draftOf,
  type Field,
  faultOf,
  fieldNames,
  fields,
  groups,
} from '../../ui/policy.fields.ts'
import { type Rule, type RuleKind, ruleFields, ruleKinds, ruleOf, ruleWords } from '../../ui/policy.rules.ts'

export function PolicyForm({ policy, close }: { policy: Policy; close(): void }) {
  const [draft, setDraft] = useState<Draft>(() => draftOf(policy))
  const [rules, setRules] = useState(policy.rules as Rule[])
  const changes = changesOf(policy, draft, rules)
  const said = changeWords(policy, changes)
  const isRight = fieldNames.every((name) => faultOf(name, draft[name]) === undefined)
  return (
    <Stack gap="md">
      {groups.map((group) => (
        <fieldset key={group} className="plain-fieldset">
          <legend>
            <Title order={3} size="h6">
              {group}
            </Title>
          </legend>
          <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md" verticalSpacing="sm">
            {fieldNames
              .filter((name) => fields[name].group === group)
              .map((name) => (
                <PolicyField key={name} name={name} value={draft[name]} onChange={(value) => setDraft({ ...draft, [name]: value })} />
              ))}
          </SimpleGrid>
        </fieldset>
      ))}
      <Rules rules={rules} onChange={setRules} />
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={close}>
          Discard changes
        </Button>
        <Action
          operation="updatePolicy"
          label="Change the policy"
          button={{ variant: 'filled', disabled: said.length === 0 || !isRight }}
          run={() => api.ventures.updatePolicy(policy.venture_id, changes)}
          done="The policy was changed."
          after={close}
        >
          <Stack gap="xs">
            <span>This becomes version {policy.version + 1}. With four-eyes approval on, a second person must approve.</span>
            <PolicyChanges changes={said} />
          </Stack>
        </Action>
      </Group>
    </Stack>
  )
}

function PolicyField({ name, value, onChange }: { name: Field; value: string; onChange(value: string): void }) {
  const { label, meaning, kind, choices, unit, none } = fields[name]
  const offered = kind === 'yes' ? { true: 'Count as hits', false: 'Ignore' } : choices
  if (offered !== undefined)
    return (
      <Select
        label={label}
        description={meaning}
        allowDeselect={false}
        value={value}
        onChange={(chosen) => chosen !== null && onChange(chosen)}
        data={Object.entries(offered).map(([key, text]) => ({ value: key, label: text }))}
      />
    )
  const shared = { label, description: meaning, ...(none !== undefined && { placeholder: none }) }
  const amount = amountKinds[kind]
  if (amount !== undefined)
    return <AmountInput {...shared} {...amount} error={value !== notRead && faultOf(name, value)} value={value} onChange={onChange} />
  return (
    <TextInput
      {...shared}
      label={unit === undefined ? label : `${label}, in ${unit}s`}
      inputMode={kind === 'names' ? 'text' : 'numeric'}
      error={faultOf(name, value)}
      value={value}
      onChange={(e) => onChange(e.currentTarget.value)}
    />
  )
}

function Rules({ rules, onChange }: { rules: readonly Rule[]; onChange(rules: Rule[]): void }) {
  const [kind, setKind] = useState<RuleKind>('amount')
  const [texts, setTexts] = useState<Record<string, string>>({})
  const rule = ruleOf(kind, texts)
  return (
    <fieldset className="plain-fieldset">
      <legend>
        <Title order={3} size="h6">
          Rules
        </Title>
      </legend>
      <Stack gap="xs">
        {rules.length === 0 && <Text size="sm">None.</Text>}
        {rules.map((one, at) => (
          <Group key={JSON.stringify(one)} justify="space-between" gap="xs" wrap="nowrap">
            <Text size="sm">{ruleWords(one)}</Text>
            <Button
              size="compact-sm"
              variant="default"
              aria-label={`Remove the rule: ${ruleWords(one)}`}
              onClick={() => onChange(rules.filter((_, index) => index !== at))}
            >
              Remove
            </Button>
          </Group>
        ))}
        <Group align="end" gap="xs">
          <Select
            label="New rule"
            allowDeselect={false}
            w={220}
            value={kind}
            onChange={(chosen) => chosen !== null && setKind(chosen as RuleKind)}
            data={Object.entries(ruleKinds).map(([value, label]) => ({ value, label }))}
          />
          {ruleFields[kind].map(({ name, label, kind: form }) => {
            const field = { label, w: 150, value: texts[name] ?? '' }
            const change = (text: string) => setTexts((before) => ({ ...before, [name]: text }))
            const amount = amountKinds[form]
            return amount === undefined ? (
              <TextInput key={name} {...field} onChange={(e) => change(e.currentTarget.value)} />
            ) : (
              <AmountInput key={name} {...field} {...amount} onChange={change} />
            )
          })}
          <Button
            variant="default"
            disabled={rule === undefined || rules.some((one) => JSON.stringify(one) === JSON.stringify(rule))}
            onClick={() => {
              if (rule !== undefined) onChange([...rules, rule])
              setTexts({})
            }}
          >
            Add the rule
          </Button>
        </Group>
      </Stack>
    </fieldset>
  )
}
