// The members of a venture and their invitations.
import { useState } from 'react'
import { Page as Frame } from '../../ui/page.tsx'
import { type Shown, ShownOnce } from '../../ui/shown-once.tsx'
import { Invitations } from './invitations.tsx'
import { Invite } from './member-actions.tsx'
import { Members } from './members.tsx'

export function Page() {
  const [shown, show] = useState<Shown>()
  return (
    <Frame title="Team" actions={<Invite onLink={show} />}>
      <ShownOnce shown={shown} onClose={() => show(undefined)} />
      <Members onLink={show} />
      <Invitations />
    </Frame>
  )
}
