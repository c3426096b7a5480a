import { X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { Column } from '../../../lib/api/schemas.ts'
import { Button } from '../../../ui/button.tsx'
import { FilterField } from './filter-field.tsx'
import { filterLabel, filtersText, readTyped } from './filter-text.ts'

interface FilterBarProps {
  readonly columns: readonly Column[]
  readonly filter: readonly string[]
  /** A text that any column holds; empty for none. */
  readonly q: string
  readonly onFilter: (filter: readonly string[], q: string) => void
  /** What else the bar offers, at its end. */
  readonly children?: ReactNode
}

/** What is typed, and the chip in whose place it goes. */
interface Draft {
  readonly text: string
  /** Its number; all of them for `all`, none of them when absent. */
  readonly of?: number | 'all'
}

const empty: Draft = { text: '' }

/** Narrows a table's rows: filters are typed in one line, and stand as chips that are edited and taken off. */
export function FilterBar({ columns, filter, q, onFilter, children }: FilterBarProps) {
  const [draft, setDraft] = useState(empty)
  const [problem, setProblem] = useState<string>()
  const write = (next: Draft) => {
    setDraft(next)
    setProblem(undefined)
  }
  const take = () => {
    const typed = readTyped(draft.text, columns)
    if (typed.kind === 'problem') return setProblem(typed.problem)
    write(empty)
    if (typed.kind === 'search') return onFilter(filter, typed.text)
    const { of } = draft
    const next =
      of === undefined
        ? [...filter, ...typed.filters]
        : filter.toSpliced(of === 'all' ? 0 : of, of === 'all' ? filter.length : 1, ...typed.filters)
    if (typed.filters.length > 0 || of !== undefined) onFilter([...new Set(next)], q)
  }
  const shown = filter.map((one, index) => ({ one, index, label: filterLabel(one, columns) }))
  return (
    <div className="shrink-0 border-line border-b px-4 py-1.5">
      <div className="flex flex-wrap items-center gap-1.5">
        {q !== '' && (
          <Chip
            label={`any column holds ${q}`}
            onRemove={() => onFilter(filter, '')}
            onEdit={() => {
              write({ text: q })
              onFilter(filter, '')
            }}
          />
        )}
        {shown.map(({ one, index, label }) => (
          <Chip
            key={one}
            label={label}
            isEdited={draft.of === 'all' || draft.of === index}
            onEdit={() => write({ text: filtersText([one], columns), of: index })}
            onRemove={() => {
              write(empty)
              onFilter(filter.toSpliced(index, 1), q)
            }}
          />
        ))}
        {filter.length > 1 && (
          <Button size="small" look="bare" onClick={() => write({ text: filtersText(filter, columns), of: 'all' })}>
            Edit as text
          </Button>
        )}
        <FilterField
          columns={columns}
          text={draft.text}
          isEditing={draft.of !== undefined}
          problem={problem}
          onText={(text) => write({ ...draft, text })}
          onTake={take}
          onLeave={() => write(empty)}
        />
        <span className="ml-auto flex items-center">{children}</span>
      </div>
      {problem && (
        <p role="alert" id="filter-problem" className="pt-1 text-danger">
          {problem}
        </p>
      )}
    </div>
  )
}

interface ChipProps {
  readonly label: string
  /** Its text is in the field. */
  readonly isEdited?: boolean
  readonly onEdit: () => void
  readonly onRemove: () => void
}

function Chip({ label, isEdited = false, onEdit, onRemove }: ChipProps) {
  return (
    <span className="inline-flex max-w-full items-center rounded-control border border-line bg-surface">
      <button
        type="button"
        aria-label={`Edit the filter ${label}`}
        aria-pressed={isEdited}
        onClick={onEdit}
        className="mono h-5.5 min-w-0 truncate rounded-l-control pr-1 pl-2 text-sm hover:bg-sunken aria-pressed:bg-sunken"
      >
        {label}
      </button>
      <button
        type="button"
        aria-label={`Remove the filter ${label}`}
        onClick={onRemove}
        className="grid h-5.5 w-6 shrink-0 place-items-center rounded-r-control text-ink-2 hover:bg-sunken hover:text-ink"
      >
        <X aria-hidden="true" className="size-3" />
      </button>
    </span>
  )
}
