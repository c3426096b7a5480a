import { type FocusEvent, type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import type { Column } from '../../../lib/api/schemas.ts'
import { Button } from '../../../ui/button.tsx'
import { classes } from '../../../ui/classes.ts'
import { readableValue } from '../column-types.ts'
import { type StagedValue, toDefault } from '../staged/staged.ts'
import { editorOf, emptyMeans, problemOf } from './value-check.ts'

/** Where the grid goes on after an edit. */
export type AfterEdit = 'stay' | 'down' | 'right' | 'left'

interface CellEditorProps {
  readonly column: Column
  readonly value: StagedValue | undefined
  readonly onCommit: (value: StagedValue, then: AfterEdit) => void
  readonly onCancel: () => void
  /** Opens the choice of a row that the value refers to. */
  readonly onPick: (() => void) | undefined
}

/** Edits a cell in its place: Enter and Tab take the value, Esc leaves it as it was. */
export function CellEditor({ column, value, onPick, ...ends }: CellEditorProps) {
  // The grid takes the focus when an edit ends, and leaving ends an edit too: it ends once.
  const hasEnded = useRef(false)
  const onCommit: CellEditorProps['onCommit'] = (next, then) => {
    hasEnded.current = true
    ends.onCommit(next, then)
  }
  const onCancel = () => {
    hasEnded.current = true
    ends.onCancel()
  }
  const kind = editorOf(column)
  const before = typeof value === 'string' ? (readableValue(column.type, value) ?? '') : ''
  const [text, setText] = useState(before)
  const [problem, setProblem] = useState<string | null>(null)
  const commit = (typed: string, then: AfterEdit) => {
    if (typed === before && value !== undefined) return onCancel()
    if (typed === '' && emptyMeans(column) === null) return onCommit(null, then)
    const found = problemOf(column, typed)
    if (found === null) onCommit(typed, then)
    else setProblem(found)
  }
  const press = (event: KeyboardEvent) => {
    event.stopPropagation()
    const isLines = kind === 'json' || kind === 'lines'
    if (event.key === 'Escape') onCancel()
    else if (event.key === 'Tab') commit(text, event.shiftKey ? 'left' : 'right')
    else if (event.key === 'Enter' && !(isLines && event.shiftKey)) commit(text, 'down')
    else return
    event.preventDefault()
  }
  return (
    <Frame
      problem={problem}
      isWide={kind === 'json' || kind === 'lines'}
      onLeave={() => {
        if (!hasEnded.current) commit(text, 'stay')
      }}
      choices={<Choices column={column} onPick={onPick} onCommit={onCommit} />}
    >
      <EditorInput
        column={column}
        text={text}
        isWrong={problem !== null}
        onText={setText}
        onChoose={onCommit}
        onKeyDown={press}
      />
    </Frame>
  )
}

interface EditorInputProps {
  readonly column: Column
  readonly text: string
  readonly isWrong: boolean
  readonly onText: (text: string) => void
  /** Takes a value that is chosen, and so complete. */
  readonly onChoose: (value: string, then: AfterEdit) => void
  readonly onKeyDown: (event: KeyboardEvent) => void
}

function EditorInput({ column, text, isWrong, onText, onChoose, onKeyDown }: EditorInputProps) {
  const kind = editorOf(column)
  const shared = {
    'aria-label': `New value of ${column.name}`,
    'aria-invalid': isWrong ? true : undefined,
    autoFocus: true,
    onFocus: toEnd,
    onKeyDown,
    value: text,
  }
  const look = 'mono w-full min-w-0 bg-surface px-2 text-ink outline-none'
  switch (kind) {
    case 'boolean':
    case 'enum':
      return (
        <select
          {...shared}
          onChange={({ target }) => onChoose(storedText(kind, target.value), 'stay')}
          className={classes(look, 'h-7')}
        >
          {text === '' && <option value="">–</option>}
          {(kind === 'enum' ? (column.labels ?? []) : ['true', 'false']).map((label) => (
            <option key={label}>{label}</option>
          ))}
        </select>
      )
    case 'json':
    case 'lines':
      return (
        <textarea
          {...shared}
          rows={kind === 'json' ? 8 : 3}
          onChange={({ target }) => onText(target.value)}
          className={classes(look, 'block resize-y py-1.5')}
        />
      )
    default:
      return (
        <input
          {...shared}
          type={kind === 'date' ? 'date' : 'text'}
          inputMode={kind === 'number' ? 'decimal' : undefined}
          onChange={({ target }) => onText(target.value)}
          className={classes(look, 'h-7')}
        />
      )
  }
}

/** What is typed goes on behind the text that is there. A date has no caret. */
function toEnd({ target }: FocusEvent<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>): void {
  if ('setSelectionRange' in target && target.type !== 'date')
    target.setSelectionRange(target.value.length, target.value.length)
}

/** What is no text: null, the default, a row to refer to. */
function Choices({ column, onPick, onCommit }: Pick<CellEditorProps, 'column' | 'onPick' | 'onCommit'>) {
  return (
    <>
      {onPick && (
        <Button size="small" onClick={onPick}>
          Choose…
        </Button>
      )}
      {column.nullable && (
        <Button size="small" onClick={() => onCommit(null, 'stay')}>
          null
        </Button>
      )}
      {(column.default !== null || column.identity !== null) && (
        <Button size="small" title={column.default ?? undefined} onClick={() => onCommit(toDefault, 'stay')}>
          default
        </Button>
      )}
    </>
  )
}

/** PostgreSQL writes booleans as `t` and `f`, with which a staged value is compared. */
export const storedText = (kind: ReturnType<typeof editorOf>, text: string): string =>
  kind === 'boolean' ? (text === 'true' ? 't' : 'f') : text

interface FrameProps {
  readonly problem: string | null
  readonly isWide: boolean
  readonly choices: ReactNode
  readonly onLeave: () => void
  readonly children: ReactNode
}

/** The editor over its cell, with what is no text below it. */
function Frame({ problem, isWide, choices, onLeave, children }: FrameProps) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only keeps the mouse from the grid below
    <div
      className={classes(
        'absolute -top-px left-0 z-20 rounded-control bg-surface shadow-float',
        isWide ? 'w-80' : 'w-full min-w-44',
      )}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) onLeave()
      }}
      // The grid's own mouse handling is for its cells.
      onMouseDown={(event) => event.stopPropagation()}
      onDoubleClick={(event) => event.stopPropagation()}
    >
      <div className="overflow-hidden rounded-control border-2 border-thread">{children}</div>
      {problem && (
        <p role="alert" className="whitespace-normal px-2 pt-1 text-danger text-sm">
          {problem}
        </p>
      )}
      <div className="flex gap-1 p-1 empty:hidden">{choices}</div>
    </div>
  )
}
