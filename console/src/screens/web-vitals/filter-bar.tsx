import type { WebVitals } from '../../lib/api/schemas.ts'
import { Chip } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/field.tsx'
import { filterOf, percentiles, ranges, usual, type VitalsSearch } from './search.ts'

interface FilterBarProps {
  readonly search: VitalsSearch
  readonly choices: WebVitals['choices'] | undefined
  readonly onSearch: (search: VitalsSearch) => void
}

const countries = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' })
const nameOf = (code: string): string => (/^[A-Z]{2}$/.test(code) ? (countries.of(code) ?? code) : code)

/** Which measurements: by path, device, browser, country and time; and which of their percentiles. */
export function VitalsFilterBar({ search, choices, onSearch }: FilterBarProps) {
  const {
    device = '',
    browser = '',
    country = '',
    path = '',
    range = usual.range,
    percentile = usual.percentile,
  } = search
  const set = (changes: Readonly<Record<string, string>>) => onSearch({ ...search, ...changes })
  return (
    <div className="flex min-h-10 shrink-0 flex-wrap items-center gap-1.5 border-line border-b px-4 py-1.5">
      <form
        key={path}
        className="flex items-center gap-1"
        onSubmit={(event) => {
          event.preventDefault()
          set({ path: String(new FormData(event.currentTarget).get('path')).trim() })
        }}
      >
        <input
          aria-label="Path"
          name="path"
          placeholder="/any/path, /product/*"
          defaultValue={path}
          maxLength={500}
          autoComplete="off"
          spellCheck={false}
          className="mono h-7 w-44 min-w-0 rounded-control border border-line bg-surface px-2 text-ink"
        />
        <Button type="submit">Filter</Button>
      </form>
      <Picked
        label="Device"
        all="All devices"
        value={device}
        options={choices?.devices}
        onPick={(next) => set({ device: next })}
      />
      <Picked
        label="Browser"
        all="All browsers"
        value={browser}
        options={choices?.browsers}
        onPick={(next) => set({ browser: next })}
      />
      <Picked
        label="Country"
        all="All countries"
        value={country}
        options={choices?.countries}
        nameOf={nameOf}
        onPick={(next) => set({ country: next })}
      />
      {Object.keys(filterOf(search)).some((name) => name !== 'range') && (
        <Button look="bare" onClick={() => onSearch({ ...search, path: '', device: '', browser: '', country: '' })}>
          Clear
        </Button>
      )}
      <span className="ml-auto flex flex-wrap items-center gap-1.5">
        <Select
          label="Percentile"
          value={percentile}
          options={percentiles.map((name) => ({ value: name, label: name }))}
          onChange={(next) => set({ percentile: next })}
        />
        {ranges.map((name) => (
          <Chip key={name} on={range === name} onToggle={(on) => on && set({ range: name })}>
            {name}
          </Chip>
        ))}
      </span>
    </div>
  )
}

interface PickedProps {
  readonly label: string
  readonly all: string
  readonly value: string
  /** Absent while they are on their way. */
  readonly options: readonly string[] | undefined
  readonly nameOf?: (value: string) => string
  readonly onPick: (value: string) => void
}

/** One of what the range has, or all; a link may name another. */
function Picked({ label, all, value, options = [], nameOf: wordsOf = (name) => name, onPick }: PickedProps) {
  const known = value === '' || options.includes(value) ? options : [value, ...options]
  return (
    <Select
      label={label}
      value={value}
      options={[{ value: '', label: all }, ...known.map((name) => ({ value: name, label: wordsOf(name) }))]}
      onChange={onPick}
      className="max-w-44"
    />
  )
}
