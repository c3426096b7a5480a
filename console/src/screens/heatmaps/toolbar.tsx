import { type FormEvent, useId } from 'react'
import { Select } from '../../ui/field.tsx'
import { kindNames } from './heat-data.ts'
import { rangeOptions } from './range-options.ts'
import { type Device, devices, drawnKinds, type HeatmapsSearch, usualRange } from './search.ts'

interface ToolbarProps {
  readonly search: HeatmapsSearch
  /** The one that is shown, also where the link says none. */
  readonly device: Device
  readonly onSearch: (search: HeatmapsSearch) => void
}

const deviceNames: Readonly<Record<Device, string>> = { desktop: 'Desktop', tablet: 'Tablet', phone: 'Phone' }

/** Which page, which viewports, which time, and what is drawn. */
export function Toolbar({ search, device, onSearch }: ToolbarProps) {
  const id = useId()
  // What was chosen was a place of another drawing.
  const { area: _area, fixed: _fixed, ...kept } = search
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const page = String(new FormData(event.currentTarget).get('page') ?? '').trim()
    if (page !== '') onSearch({ ...kept, page })
  }
  return (
    <div className="flex min-h-10 shrink-0 flex-wrap items-center gap-1.5 border-line border-b px-4 py-1">
      <form onSubmit={submit} className="flex min-w-0 flex-1 items-center gap-1.5 max-sheet:basis-full">
        <label htmlFor={id} className="text-ink-2 text-sm">
          Page
        </label>
        <input
          id={id}
          key={search.page}
          name="page"
          defaultValue={search.page}
          title="An address; * stands for any part of it. Enter draws it."
          maxLength={500}
          className="mono h-7 w-full min-w-0 rounded-control border border-line bg-surface px-2 text-ink"
        />
      </form>
      <Select
        label="What is drawn"
        value={search.kind ?? 'click'}
        options={drawnKinds.map((kind) => ({ value: kind, label: kindNames[kind] }))}
        onChange={(kind) => onSearch({ ...kept, kind })}
      />
      <Select
        label="Width of the viewport"
        value={device}
        options={devices.map((each) => ({ value: each, label: deviceNames[each] }))}
        onChange={(next) => onSearch({ ...kept, device: next })}
      />
      <Select
        label="Range of time"
        value={search.range ?? usualRange}
        options={rangeOptions}
        onChange={(range) => onSearch({ ...search, range })}
      />
    </div>
  )
}
