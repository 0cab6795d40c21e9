import { Page as Frame } from '../../ui/page.tsx'
export function Page() {
  return <Frame title="New transfer">…</Frame>
}
