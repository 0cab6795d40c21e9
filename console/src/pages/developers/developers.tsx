// API keys, webhook secrets, and code to start with.
import { useState } from 'react'
import { CreateKey } from '../../ui/key-actions.tsx'
import { Page as Frame } from '../../ui/page.tsx'
import { type Shown, ShownOnce } from '../../ui/shown-once.tsx'
import { Keys } from './keys.tsx'
import { Secrets } from './secrets.tsx'
import { Snippets } from './snippets.tsx'

export function Page() {
  const [shown, show] = useState<Shown>()
  return (
    <Frame title="Developers" actions={<CreateKey onSecret={show} />}>
      <ShownOnce shown={shown} onClose={() => show(undefined)} />
      <Keys onSecret={show} />
      <Secrets onSecret={show} />
      <Snippets />
    </Frame>
  )
}
