// The cases that people have linked with a case.
import type { CaseWithSubject } from '@vostro/sdk'
import { api } from '../../ui/api.ts'
import { kindWords } from '../../ui/cases.ts'
import { FormAction } from '../../ui/form.tsx'
import { Rows } from '../../ui/list.tsx'
import { PersonName } from '../../ui/names.tsx'
import { Block, Empty } from '../../ui/page.tsx'
import { Status } from '../../ui/status.tsx'
import { minuteOf } from '../../ui/words.ts'

export function Links({ of: { id, links } }: { of: CaseWithSubject }) {
  return (
    <Block
      title="Linked cases"
      actions={
        <FormAction
          operation="linkCases"
          label="Link a case"
          fields={[{ name: 'other_case_id', label: 'The other case', hint: 'Its id.' }]}
          run={({ other_case_id = '' }) => api.operator.cases.link(id, { other_case_id })}
          done="The cases are linked."
        >
          Both cases then show the other. Nobody can remove the link later.
        </FormAction>
      }
    >
      {links.length === 0 ? (
        <Empty title="No linked cases." />
      ) : (
        <Rows
          label="Linked cases"
          rows={links}
          idOf={(link) => link.id}
          to={(link) => `/bank/cases/${link.id}`}
          columns={[
            { label: 'Case', cell: ({ kind }) => kindWords(kind) },
            { label: 'State', cell: ({ state }) => <Status value={state} /> },
            { label: 'Linked by', wide: true, cell: ({ created_by }) => <PersonName id={created_by} nobody="The admin key" /> },
            { label: 'Linked', wide: true, cell: ({ created_at }) => minuteOf(created_at) },
          ]}
        />
      )}
    </Block>
  )
}
