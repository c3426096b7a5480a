import { useId } from 'react'
import type { Column } from '../../../lib/api/schemas.ts'
import { Button } from '../../../ui/button.tsx'
import { classes } from '../../../ui/classes.ts'
import { absentText, readableValue } from '../column-types.ts'
import { isDefault, type StagedValue, toDefault } from '../staged/staged.ts'
import { storedText } from './cell-editor.tsx'
import { editorOf, problemOf } from './value-check.ts'

interface ValueFieldProps {
  readonly column: Column
  /** Undefined where nothing is said: PostgreSQL sets it. */
  readonly value: StagedValue | undefined
  readonly problem: string | undefined
  readonly onChange: (value: StagedValue) => void
  /** Opens the choice of a row that the value refers to. */
  readonly onPick: (() => void) | undefined
}

const box =
  'mono w-full min-w-0 rounded-control border border-line bg-surface px-2 text-ink placeholder:text-ink-3 focus-visible:outline-offset-0 aria-invalid:border-danger disabled:opacity-60'

/** One column of a row's form: its value by its type, or null, or the default. */
export function ValueField({ column, value, problem, onChange, onPick }: ValueFieldProps) {
  const id = useId()
  const { name, type, nullable, generated, identity } = column
  const isReadOnly = generated || (column.secret && !column.masked)
  const note = problem ?? (typeof value === 'string' ? (problemOf(column, value) ?? undefined) : undefined)
  const hasDefault = column.default !== null || identity !== null
  return (
    <div className="grid gap-1">
      <div className="flex items-baseline gap-2">
        <label htmlFor={id} className={classes('mono truncate', column.isKey && 'font-medium')}>
          {name}
        </label>
        <span className="mono min-w-0 flex-1 truncate text-ink-2 text-xs">{type}</span>
        {!isReadOnly && onPick && (
          <Button size="small" onClick={onPick}>
            Choose…
          </Button>
        )}
        {!isReadOnly && nullable && (
          <Button size="small" aria-pressed={value === null} onClick={() => onChange(null)}>
            null
          </Button>
        )}
        {!isReadOnly && hasDefault && (
          <Button
            size="small"
            aria-pressed={value === undefined || isDefault(value)}
            onClick={() => onChange(toDefault)}
          >
            default
          </Button>
        )}
      </div>
      <Input
        id={id}
        column={column}
        value={value}
        isReadOnly={isReadOnly}
        isWrong={note !== undefined}
        onChange={onChange}
      />
      {note && (
        <p id={`${id}-note`} role={problem ? 'alert' : undefined} className="text-danger text-sm">
          {note}
        </p>
      )}
      {column.comment && <p className="text-ink-2 text-sm">{column.comment}</p>}
    </div>
  )
}

interface InputProps extends Pick<ValueFieldProps, 'column' | 'value' | 'onChange'> {
  readonly id: string
  readonly isReadOnly: boolean
  readonly isWrong: boolean
}

function Input({ id, column, value, isReadOnly, isWrong, onChange }: InputProps) {
  const kind = editorOf(column)
  const text = typeof value === 'string' ? (readableValue(column.type, value) ?? '') : ''
  const shared = {
    id,
    value: text,
    disabled: isReadOnly,
    placeholder: placeholderOf(column, value),
    'aria-invalid': isWrong ? true : undefined,
    'aria-describedby': isWrong ? `${id}-note` : undefined,
  }
  switch (kind) {
    case 'boolean':
    case 'enum':
      return (
        <select
          {...shared}
          onChange={({ target }) => onChange(storedText(kind, target.value))}
          className={classes(box, 'h-8')}
        >
          {text === '' && <option value="">{shared.placeholder}</option>}
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
          rows={kind === 'json' ? 6 : 2}
          spellCheck={false}
          onChange={({ target }) => onChange(target.value)}
          className={classes(box, 'resize-y py-1.5')}
        />
      )
    default:
      return (
        <input
          {...shared}
          type={kind === 'date' ? 'date' : 'text'}
          inputMode={kind === 'number' ? 'decimal' : undefined}
          autoComplete="off"
          onChange={({ target }) => onChange(target.value)}
          className={classes(box, 'h-8')}
        />
      )
  }
}

function placeholderOf(column: Column, value: StagedValue | undefined): string {
  const { secret, masked } = column
  if (masked && value === undefined) return '[masked]'
  if (secret && !masked) return 'not shown here'
  if (value === null) return 'null'
  return value === '' ? 'empty text' : absentText(column)
}
