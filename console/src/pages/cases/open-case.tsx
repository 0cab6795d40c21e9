// Opens a case by hand.
import { api } from '../../ui/api.ts'
import { FormAction } from '../../ui/form.tsx'
import { caseSeverities, caseSubjects } from '../../values.made.ts'

export function OpenCase() {
  return (
    <FormAction
      operation="openCase"
      label="Open a case"
      size="lg"
      initial={{ about: 'client', severity: 'NORMAL' }}
      fields={[
        { name: 'about', label: 'About', choices: caseSubjects },
        { name: 'severity', label: 'Severity', choices: caseSeverities },
        { name: 'venture_id', label: 'Venture', type: 'venture', optional: true },
        { name: 'resource_id', label: 'Its id', hint: 'Of the transfer, client or account.', optional: true },
        { name: 'reason', label: 'Reason', type: 'long' },
      ]}
      run={(given) => api.operator.cases.open(given as Parameters<typeof api.operator.cases.open>[0])}
      done="The case is open."
    >
      For what no other case is about, such as a request of the police. It ends when a person closes it.
    </FormAction>
  )
}
