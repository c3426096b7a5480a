import { type KeyboardEvent, useRef } from 'react'

interface EditorProps {
  readonly label: string
  readonly text: string
  readonly readOnly: boolean
  readonly onChange: (text: string) => void
  readonly onSave: () => void
}

const indent = '  '

/** Source text with the numbers of its lines. Tab indents, Esc lets Tab leave; ⌘S or Ctrl-S saves. */
export function Editor({ label, text, readOnly, onChange, onSave }: EditorProps) {
  const leaves = useRef(false)
  const numbers = useRef<HTMLPreElement>(null)
  const lines = text.split('\n').length
  const press = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    const { key, currentTarget: area } = event
    if ((event.metaKey || event.ctrlKey) && key === 's') {
      event.preventDefault()
      onSave()
    } else if (key === 'Tab' && !event.shiftKey && !readOnly && !leaves.current) {
      event.preventDefault()
      // Kept in the browser's own history of changes, so that it can be undone.
      area.setRangeText(indent, area.selectionStart, area.selectionEnd, 'end')
      onChange(area.value)
    }
    leaves.current = key === 'Escape'
  }
  return (
    <div className="mono flex min-h-0 flex-1 bg-sunken leading-5">
      <pre
        ref={numbers}
        aria-hidden="true"
        className="tabular w-12 shrink-0 select-none overflow-hidden py-3 pr-3 text-right text-ink-2"
      >
        {Array.from({ length: lines }, (_, index) => index + 1).join('\n')}
      </pre>
      <textarea
        aria-label={label}
        value={text}
        readOnly={readOnly}
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        wrap="off"
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={press}
        onScroll={(event) => numbers.current?.scrollTo({ top: event.currentTarget.scrollTop })}
        className="min-w-0 flex-1 resize-none overflow-auto bg-transparent py-3 pr-4 text-ink outline-none focus-visible:outline-none"
      />
    </div>
  )
}
