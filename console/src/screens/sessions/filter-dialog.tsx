import type { Table } from '../../lib/api/schemas.ts'
import { ChangedRowsField, FilterDialog, partOf } from '../../lib/filters/filter-dialog.tsx'
import { Field } from '../../ui/field.tsx'
import type { SessionFilter } from './queries.ts'
import { readSessionsSearch } from './search.ts'

interface SessionFilterDialogProps {
  readonly open: boolean
  readonly filter: SessionFilter
  /** Offered as those whose rows a session changed. */
  readonly tables: readonly Table[]
  readonly onFilter: (filter: SessionFilter) => void
  readonly onClose: () => void
}

/** Narrows the sessions by when they were, by how long, and by what one of their requests was like. */
export function SessionFilterDialog({ open, filter, tables, onFilter, onClose }: SessionFilterDialogProps) {
  const part = partOf(filter)
  return (
    <FilterDialog
      open={open}
      title="Filter sessions"
      about="Status, time and table are of one request together."
      onTyped={(typed) => {
        const { q, live, errors, sort } = filter
        const country = String(typed.country).toUpperCase()
        onFilter(readSessionsSearch({ ...typed, q, live, errors, sort, country }))
      }}
      onClose={onClose}
    >
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
      <ChangedRowsField tables={tables} {...part('table')} />
      <Field
        label="Was shown a flag"
        placeholder="checkout or checkout=test"
        pattern="[^=]+(=.*)?"
        maxLength={400}
        {...part('flag')}
      />
    </FilterDialog>
  )
}
