// Where the keyboard goes on: at the heading of a page that was opened, in a dialog at what it asks for, and at the heading again when what had the
// focus is gone. Otherwise the next Tab would begin at the top of everything.

/** How long a dialog takes to give the focus back by itself. */
const patience_ms = 50

const isInDialog = (element: Element) => element.closest('[role=dialog]') !== null

function headingOf(): HTMLElement | null {
  return document.querySelector('h1.page-title')
}

/** `stays`: the page keeps its place, because somebody has gone back to it. */
export function focusHeading({ stays = false } = {}): void {
  headingOf()?.focus({ preventScroll: stays })
  if (!stays) scrollTo(0, 0)
}

/** Watches over the focus until the function that it returns is called. */
export function keepFocus(): () => void {
  let last: Element | undefined
  /** Where the focus was before the dialog that has it now. */
  let opener: Element | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const onFocus = ({ target }: FocusEvent) => {
    const next = target instanceof Element ? target : undefined
    if (next === undefined || !isInDialog(next)) opener = undefined
    else if (last !== undefined && !isInDialog(last)) opener = last
    last = next
  }
  // Whoever clicks beside everything wants nothing to have the focus.
  const onPointer = () => {
    last = undefined
    opener = undefined
  }
  const check = () => {
    timer = undefined
    if (last === undefined || document.activeElement !== document.body) return
    // A button that is busy loses the focus and gets it again. What is gone cannot have it; after a dialog, that is what has opened it.
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

/** Marks where a dialog begins: at its first field, or else at what it does, unless that cannot be undone. The cross would close it with Enter. */
export function markBeginning(body: HTMLElement | null): void {
  if (body === null || body.querySelector('[data-autofocus]') !== null) return
  const first = body.querySelector(fields) ?? body.querySelector('button[type=submit]:not([data-danger])') ?? body.querySelector('button')
  first?.setAttribute('data-autofocus', '')
}
