import { useQuery } from '@tanstack/react-query'
import { offeredEventsQuery } from '../../lib/api/queries.ts'
import type { ExperimentMetric } from '../../lib/api/schemas.ts'
import { Button } from '../../ui/button.tsx'
import { Field, Select } from '../../ui/field.tsx'

interface MetricEditorProps {
  /** Counted from 1. */
  readonly number: number
  readonly metric: ExperimentMetric
  readonly onChange: (metric: ExperimentMetric) => void
  /** Absent for the only one. */
  readonly onRemove: (() => void) | undefined
}

/** One metric: what is counted of each person, and for how long. */
export function MetricEditor({ number, metric, onChange, onRemove }: MetricEditorProps) {
  const set = (change: Partial<ExperimentMetric>) => onChange({ ...metric, ...change })
  const { source } = metric
  return (
    <section aria-label={`Metric ${number}`} className="grid gap-3 border-line border-b py-3">
      <header className="flex items-center gap-2">
        <h2 className="font-medium">Metric {number}</h2>
        {onRemove && (
          <Button look="bare" size="small" className="ml-auto" onClick={onRemove}>
            Remove
          </Button>
        )}
      </header>
      <div className="grid items-end gap-3 sheet:grid-cols-2">
        <Field
          label="Name of the metric"
          value={metric.name}
          maxLength={200}
          required
          onChange={(event) => set({ name: event.target.value })}
        />
        <Field
          label="Hours after the first exposure"
          type="number"
          min={1}
          max={8760}
          placeholder="until the end"
          value={metric.windowHours ?? ''}
          onChange={({ target: { value } }) => set({ windowHours: value === '' ? null : Number(value) })}
        />
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <Select
          label="What is measured"
          value={metric.kind}
          options={[
            { value: 'conversion', label: 'how many did it' },
            { value: 'mean', label: 'how much of it on the average' },
          ]}
          onChange={(kind) => set({ kind })}
        />
        <span className="text-ink-2">by</span>
        <Select
          label="What is counted"
          value={source.type}
          options={[
            { value: 'events', label: 'events' },
            { value: 'rows', label: 'rows of a table' },
          ]}
          onChange={(type) => set({ source: emptySources[type] })}
        />
      </div>
      <Source metric={metric} onChange={onChange} />
    </section>
  )
}

const emptySources = {
  events: { type: 'events', event: '', property: null },
  rows: { type: 'rows', table: '', userColumn: 'user_id', timeColumn: 'created_at', valueColumn: null },
} as const satisfies Record<string, ExperimentMetric['source']>

function Source({ metric, onChange }: Pick<MetricEditorProps, 'metric' | 'onChange'>) {
  const { source, kind } = metric
  const { data: events = [] } = useQuery(offeredEventsQuery)
  const set = (next: ExperimentMetric['source']) => onChange({ ...metric, source: next })
  const isMean = kind === 'mean'
  if (source.type === 'events')
    return (
      <div className="grid gap-3 sheet:grid-cols-2">
        <Field
          label="Event"
          value={source.event}
          maxLength={200}
          required
          offered={events}
          onChange={(event) => set({ ...source, event: event.target.value })}
        />
        {isMean && (
          <Field
            label="Property that is summed"
            placeholder="none: events are counted"
            value={source.property ?? ''}
            maxLength={200}
            onChange={({ target: { value } }) => set({ ...source, property: value === '' ? null : value })}
          />
        )}
      </div>
    )
  const column = (name: 'userColumn' | 'timeColumn', label: string) => (
    <Field
      label={label}
      value={source[name]}
      maxLength={63}
      required
      onChange={(event) => set({ ...source, [name]: event.target.value })}
    />
  )
  return (
    <div className="grid gap-3 sheet:grid-cols-2">
      <Field
        label="Table"
        value={source.table}
        maxLength={127}
        required
        onChange={(event) => set({ ...source, table: event.target.value })}
      />
      {column('userColumn', 'Column with the user’s id')}
      {column('timeColumn', 'Column with the time')}
      {isMean && (
        <Field
          label="Column that is summed"
          placeholder="none: rows are counted"
          value={source.valueColumn ?? ''}
          maxLength={63}
          onChange={({ target: { value } }) => set({ ...source, valueColumn: value === '' ? null : value })}
        />
      )}
    </div>
  )
}
