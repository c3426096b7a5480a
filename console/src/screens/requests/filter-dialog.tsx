import { useId } from 'react'
import type { Table } from '../../lib/api/schemas.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { type RequestFilter, readRequestsSearch } from './search.ts'

interface FilterDialogProps {
  readonly open: boolean
  readonly filter: RequestFilter
  /** Offered as those whose rows a request changed. */
  readonly tables: readonly Table[]
  readonly onFilter: (filter: RequestFilter) => void
  readonly onClose: () => void
}

const uuid = '[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}'

/** Narrows the requests by when they were, by their person, by how long they took and by what they touched. */
export function FilterDialog({ open, filter, tables, onFilter, onClose }: FilterDialogProps) {
  const list = useId()
  const part = (name: keyof RequestFilter) => ({
    name,
    defaultValue: filter[name] === undefined ? '' : String(filter[name]),
    autoComplete: 'off',
  })
  return (
    <Dialog open={open} onClose={onClose} title="Filter requests">
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          const typed = Object.fromEntries(new FormData(event.currentTarget))
          // An instant that was not touched keeps its seconds.
          const instant = (name: 'from' | 'to') =>
            typed[name] === localTime(filter[name]) ? filter[name] : typed[name]
          onFilter(readRequestsSearch({ ...filter, ...typed, from: instant('from'), to: instant('to') }))
          onClose()
        }}
      >
        <div className="grid gap-4 narrow:grid-cols-2">
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
          <Field
            label="Changed rows of"
            placeholder="public.orders"
            pattern="[^.]+[.].+"
            list={list}
            {...part('table')}
          />
          <Field label="Route" placeholder="/rest/v1/orders" {...part('route')} />
          <Field label="Session" {...part('session')} />
          <Field label="Person or user" placeholder="its id" pattern={uuid} {...part('person')} />
        </div>
        <datalist id={list}>
          {tables.map(({ schema, name }) => (
            <option key={`${schema}.${name}`} value={`${schema}.${name}`} />
          ))}
        </datalist>
        <p className="text-ink-2 text-sm">
          A route is a path whose ids are written :id. The address has the filter: its link shows others the list.
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

/** An instant as a field of the viewer's zone has it; empty for none. */
function localTime(at: string | undefined): string {
  if (at === undefined) return ''
  const date = new Date(at)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
