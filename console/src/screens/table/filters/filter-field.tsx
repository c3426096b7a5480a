import { Search } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import type { Column } from '../../../lib/api/schemas.ts'
import { classes } from '../../../ui/classes.ts'
import { Kbd } from '../../../ui/kbd.tsx'
import { useSlashFocus } from '../../../ui/slash-focus.ts'
import { type Completion, completionsOf } from './filter-text.ts'

interface FilterFieldProps {
  readonly columns: readonly Column[]
  readonly text: string
  /** Whether the text is of filters that are set: the field has the focus then. */
  readonly isEditing: boolean
  readonly problem: string | undefined
  readonly onText: (text: string) => void
  readonly onTake: () => void
  readonly onLeave: () => void
}

/**
 * The line in which filters are typed, with what can come next below it: arrows choose, Tab and Enter take what is chosen,
 * Enter alone takes the line. `/` focuses it.
 *
 * @see https://www.w3.org/WAI/ARIA/apg/patterns/combobox/
 */
export function FilterField({ columns, text, isEditing, problem, onText, onTake, onLeave }: FilterFieldProps) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [isOpen, setOpen] = useState(false)
  const [chosen, setChosen] = useState(-1)
  useSlashFocus(input)
  useEffect(() => {
    // A chip's text was put into it.
    if (isEditing) input.current?.focus()
  }, [isEditing])
  const completions = isOpen ? completionsOf(text, columns) : []
  const write = (next: string) => {
    setOpen(true)
    setChosen(-1)
    onText(next)
  }
  const press = (event: KeyboardEvent) => {
    const { key } = event
    const completion = completions[key === 'Tab' && chosen === -1 && text !== '' ? 0 : chosen]
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      setOpen(true)
      const count = completions.length + 1
      setChosen(((chosen + 1 + (key === 'ArrowDown' ? 1 : -1) + count) % count) - 1)
    } else if ((key === 'Enter' || (key === 'Tab' && !event.shiftKey)) && completion) write(completion.text)
    else if (key === 'Enter') {
      setOpen(false)
      onTake()
    } else if (key === 'Escape' && isOpen && completions.length > 0) setOpen(false)
    else if (key === 'Escape' && (text !== '' || isEditing)) onLeave()
    else if (key === 'Escape') input.current?.blur()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div className="group relative flex min-w-52 flex-1 items-center">
      <Search aria-hidden="true" className="pointer-events-none absolute left-0 size-3.5 text-ink-3" />
      <input
        ref={input}
        role="combobox"
        aria-label="Filter"
        aria-expanded={completions.length > 0}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={completions[chosen] ? `${id}-${chosen}` : undefined}
        aria-invalid={problem ? true : undefined}
        aria-describedby={problem ? 'filter-problem' : undefined}
        autoComplete="off"
        spellCheck={false}
        placeholder="Filter: column=operator.value, or a text"
        value={text}
        onChange={({ target }) => write(target.value)}
        onFocus={() => setOpen(true)}
        onClick={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={press}
        className="mono h-7 w-full min-w-0 bg-transparent pr-6 pl-5.5 text-ink outline-none placeholder:font-sans"
      />
      {text === '' && <Kbd className="absolute right-0 group-focus-within:hidden max-sheet:hidden">/</Kbd>}
      <Completions id={id} completions={completions} chosen={chosen} onChoose={(one) => write(one.text)} />
    </div>
  )
}

interface CompletionsProps {
  readonly id: string
  readonly completions: readonly Completion[]
  readonly chosen: number
  readonly onChoose: (completion: Completion) => void
}

function Completions({ id, completions, chosen, onChoose }: CompletionsProps) {
  return (
    <div
      role="listbox"
      id={`${id}-list`}
      aria-label="How the filter can go on"
      className={classes(
        'absolute top-full left-0 z-30 mt-1 max-h-72 w-[min(420px,calc(100vw-32px))] overflow-y-auto rounded-float bg-surface p-1 shadow-float',
        completions.length === 0 && 'hidden',
      )}
    >
      {completions.map((completion, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field above moves and chooses by keys (ARIA APG combobox)
        // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names the option that is chosen
        <div
          key={completion.text}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === chosen}
          // The field keeps the focus.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(completion)}
          className="flex h-7 cursor-pointer items-baseline gap-3 rounded-small px-2 leading-7 hover:bg-sunken aria-selected:bg-sunken"
        >
          <span className="mono shrink-0">{completion.label}</span>
          <span className="min-w-0 truncate text-ink-2 text-sm">{completion.meaning}</span>
        </div>
      ))}
    </div>
  )
}
