// Where the keyboard focus goes: to the heading of a new page, to the first question of a dialog, and to the heading again when the
// focused element disappears. Otherwise the next Tab would start at the top of the page.

/** How long a dialog takes to restore the focus. */
const patience_ms = 50

const isInDialog = (element: Element) => element.closest('[role=dialog]') !== null

function headingOf(): HTMLElement | null {
  return document.querySelector('h1.page-title')
}

/** `stays`: keeps the scroll position, after going back. */
export function focusHeading({ stays = false } = {}): void {
  headingOf()?.focus({ preventScroll: stays })
  if (!stays) scrollTo(0, 0)
}

/** Manages the focus until the returned function is called. */
export function keepFocus(): () => void {
  let last: Element | undefined
  /** What had the focus before the current dialog. */
  let opener: Element | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const onFocus = ({ target }: FocusEvent) => {
    const next = target instanceof Element ? target : undefined
    if (next === undefined || !isInDialog(next)) opener = undefined
    else if (last !== undefined && !isInDialog(last)) opener = last
    last = next
  }
  // A click on the background removes the focus on purpose.
  const onPointer = () => {
    last = undefined
    opener = undefined
  }
  const check = () => {
    timer = undefined
    if (last === undefined || document.activeElement !== document.body) return
    // A busy button loses the focus and regains it. If the element is gone, the one that opened the dialog gets the focus.
    const back = last.isConnected ? last : opener?.isConnected ? opener : undefined
    const dialog = last.isConnected ? null : document.querySelector<HTMLElement>('[role=dialog]')
    if (dialog !== null) dialog.focus()
    else if (back === undefined) headingOf()?.focus()
    else if (!back.matches(':disabled')) (back as HTMLElement).focus()
  }
  const changes = new MutationObserver(() => {
    timer ??= setTimeout(check, patience_ms)
  })
  changes.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] })
  document.addEventListener('focusin', onFocus)
  document.addEventListener('pointerdown', onPointer)
  return () => {
    changes.disconnect()
    clearTimeout(timer)
    document.removeEventListener('focusin', onFocus)
    document.removeEventListener('pointerdown', onPointer)
  }
}

const fields = 'input:not([type=hidden], :disabled), textarea:not(:disabled), select:not(:disabled)'

/** Marks the initial focus of a dialog: its first field, or else its action unless that is irreversible. Otherwise Enter would press the close button. */
export function markBeginning(body: HTMLElement | null): void {
  if (body === null || body.querySelector('[data-autofocus]') !== null) return
  const first = body.querySelector(fields) ?? body.querySelector('button[type=submit]:not([data-danger])') ?? body.querySelector('button')
  first?.setAttribute('data-autofocus', '')
}
