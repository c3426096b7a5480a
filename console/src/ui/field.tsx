import { Search, X } from 'lucide-react'
import { type ComponentProps, type ReactNode, useId, useRef } from 'react'
import { classes } from './classes.ts'
import { Kbd } from './kbd.tsx'
import { useSlashFocus } from './slash-focus.ts'

const box =
  'w-full rounded-control border border-line bg-surface px-2.5 h-8 text-ink focus-visible:outline-offset-0 aria-invalid:border-danger'

interface FieldProps extends ComponentProps<'input'> {
  readonly label: string
  readonly hint?: ReactNode
  readonly problem?: string | undefined
  /** What is offered while one types; anything else may be typed as well. */
  readonly offered?: readonly string[]
}

/** A labelled line of text; its problem is read out by screen readers too. */
export function Field({ label, hint, problem, offered, className, ...input }: FieldProps) {
  const id = useId()
  const note = problem ?? hint
  return (
    <div className={classes('grid gap-1', className)}>
      <label htmlFor={id} className="font-medium text-sm text-ink-2">
        {label}
      </label>
      <input
        id={id}
        className={box}
        aria-invalid={problem ? true : undefined}
        aria-describedby={note ? `${id}-note` : undefined}
        list={offered && `${id}-offered`}
        {...input}
      />
      {offered && <Offered id={`${id}-offered`} texts={offered} />}
      {note && (
        <p id={`${id}-note`} className={classes('text-sm', problem ? 'text-danger' : 'text-ink-2')}>
          {note}
        </p>
      )}
    </div>
  )
}

interface OfferedProps {
  /** What the input names as its `list`. */
  readonly id: string
  readonly texts: readonly string[]
}

/** What is offered while one types into an input. */
export const Offered = ({ id, texts }: OfferedProps) => (
  <datalist id={id}>
    {texts.map((text) => (
      <option key={text} value={text} />
    ))}
  </datalist>
)

interface SelectProps<Value extends string> {
  readonly label: string
  readonly value: Value
  readonly options: readonly { readonly value: Value; readonly label: string }[]
  readonly onChange: (value: Value) => void
  readonly className?: string
}

/** A small choice among few; the label is spoken, not drawn. */
export function Select<Value extends string>({ label, value, options, onChange, className }: SelectProps<Value>) {
  return (
    <select
      aria-label={label}
      value={value}
      onChange={(event) => {
        const chosen = options.find((option) => option.value === event.target.value)
        if (chosen) onChange(chosen.value)
      }}
      className={classes('h-7 rounded-control border border-line bg-surface pr-1 pl-2 text-ink', className)}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  )
}

interface FilterProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly placeholder?: string
  readonly className?: string
}

/** The filter of a list. `/` focuses it, Esc clears it and then leaves it. */
export function Filter({ label, value, onChange, placeholder, className }: FilterProps) {
  const input = useRef<HTMLInputElement>(null)
  useSlashFocus(input)
  return (
    <div className={classes('group relative flex min-w-0 flex-1 items-center', className)}>
      <Search aria-hidden="true" className="pointer-events-none absolute left-0 size-3.5 text-ink-3" />
      <input
        ref={input}
        type="search"
        aria-label={label}
        placeholder={placeholder ?? label}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          event.stopPropagation()
          if (value !== '') onChange('')
          else event.currentTarget.blur()
        }}
        className="h-7 w-full min-w-0 appearance-none bg-transparent pr-7 pl-5.5 text-ink outline-none [&::-webkit-search-cancel-button]:hidden"
      />
      {value === '' ? (
        <Kbd className="absolute right-0 group-focus-within:hidden max-sheet:hidden">/</Kbd>
      ) : (
        <button
          type="button"
          aria-label="Clear the filter"
          onClick={() => onChange('')}
          className="absolute right-0 grid size-6 place-items-center rounded-small text-ink-2 hover:text-ink"
        >
          <X aria-hidden="true" className="size-3.5" />
        </button>
      )}
    </div>
  )
}
