import { useId } from 'react'
import type { Table } from '../../lib/api/schemas.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import type { SessionFilter } from './queries.ts'
import { readSessionsSearch } from './search.ts'

interface FilterDialogProps {
  readonly open: boolean
  readonly filter: SessionFilter
  /** Offered as those whose rows a session changed. */
  readonly tables: readonly Table[]
  readonly onFilter: (filter: SessionFilter) => void
  readonly onClose: () => void
}

/** Narrows the sessions by when they were, by how long, and by what one of their requests was like. */
export function FilterDialog({ open, filter, tables, onFilter, onClose }: FilterDialogProps) {
  const list = useId()
  const part = (name: keyof SessionFilter) => ({
    name,
    defaultValue: filter[name] === undefined ? '' : String(filter[name]),
    autoComplete: 'off',
  })
  return (
    <Dialog open={open} onClose={onClose} title="Filter sessions">
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          const { q, live, errors, sort } = filter
          const typed = Object.fromEntries(new FormData(event.currentTarget))
          onFilter(
            readSessionsSearch({ ...typed, q, live, errors, sort, country: String(typed.country).toUpperCase() }),
          )
          onClose()
        }}
      >
        <div className="grid gap-4 narrow:grid-cols-2">
          <Field label="Since" type="date" {...part('from')} />
          <Field label="Until" type="date" {...part('to')} />
          <Field label="Lasted at least (seconds)" type="number" min="1" step="any" {...part('seconds')} />
          <Field label="Country" placeholder="PT" pattern="[A-Za-z]{2}" maxLength={2} {...part('country')} />
          <Field
            label="A request was answered"
            placeholder="404 or 5xx"
            pattern="[1-5](xx|[0-9]{2})"
            maxLength={3}
            {...part('status')}
          />
          <Field label="A request took at least (ms)" type="number" min="1" step="any" {...part('requestMs')} />
          <Field label="A statement took at least (ms)" type="number" min="1" step="any" {...part('statementMs')} />
          <Field
            label="Changed rows of"
            placeholder="public.orders"
            pattern="[^.]+[.].+"
            list={list}
            {...part('table')}
          />
          <Field
            label="Was shown a flag"
            placeholder="checkout or checkout=test"
            pattern="[^=]+(=.*)?"
            maxLength={400}
            {...part('flag')}
          />
        </div>
        <datalist id={list}>
          {tables.map(({ schema, name }) => (
            <option key={`${schema}.${name}`} value={`${schema}.${name}`} />
          ))}
        </datalist>
        <p className="text-ink-2 text-sm">
          Status, time and table are of one request together. The address has the filter: its link shows others the
          list.
        </p>
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary">
            Filter
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
