import type { Table } from '../../lib/api/schemas.ts'
import { ChangedRowsField, FilterDialog, partOf } from '../../lib/filters/filter-dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { type RequestFilter, readRequestsSearch } from './search.ts'

interface RequestFilterDialogProps {
  readonly open: boolean
  readonly filter: RequestFilter
  /** Offered as those whose rows a request changed. */
  readonly tables: readonly Table[]
  readonly onFilter: (filter: RequestFilter) => void
  readonly onClose: () => void
}

const uuid = '[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}'

/** Narrows the requests by when they were, by their person, by how long they took and by what they touched. */
export function RequestFilterDialog({ open, filter, tables, onFilter, onClose }: RequestFilterDialogProps) {
  const part = partOf(filter)
  return (
    <FilterDialog
      open={open}
      title="Filter requests"
      about="A route is a path whose ids are written :id."
      onTyped={(typed) => {
        // An instant that was not touched keeps its seconds.
        const instant = (name: 'from' | 'to') => (typed[name] === localTime(filter[name]) ? filter[name] : typed[name])
        onFilter(readRequestsSearch({ ...filter, ...typed, from: instant('from'), to: instant('to') }))
      }}
      onClose={onClose}
    >
      <Field label="Since" type="datetime-local" {...part('from')} defaultValue={localTime(filter.from)} />
      <Field label="Until" type="datetime-local" {...part('to')} defaultValue={localTime(filter.to)} />
      <Field label="Took at least (ms)" type="number" min="0.001" step="any" {...part('requestMs')} />
      <Field label="A statement took at least (ms)" type="number" min="0.001" step="any" {...part('statementMs')} />
      <Field
        label="Status"
        placeholder="404 or 5xx"
        pattern="error|[1-5](xx|[0-9]{2})"
        maxLength={5}
        {...part('status')}
      />
      <ChangedRowsField tables={tables} {...part('table')} />
      <Field label="Route" placeholder="/rest/v1/orders" {...part('route')} />
      <Field label="Session" {...part('session')} />
      <Field label="Person or user" placeholder="its id" pattern={uuid} {...part('person')} />
    </FilterDialog>
  )
}

/** An instant as a field of the viewer's zone has it; empty for none. */
function localTime(at: string | undefined): string {
  if (at === undefined) return ''
  const date = new Date(at)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
