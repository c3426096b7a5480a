import { useLostSince } from '../../lib/api/connection.ts'
import type { Engine } from '../../lib/api/schemas.ts'
import { Dot, type Tone } from '../../ui/badge.tsx'

const tones: Readonly<Record<Engine['state'], Tone>> = {
  up: 'ok',
  starting: 'warn',
  degraded: 'warn',
  down: 'danger',
  off: 'quiet',
}

const labels: Readonly<Record<string, string>> = { postgres: 'PostgreSQL', clickhouse: 'ClickHouse' }

/** Other parts are named in plain words. */
const labelOf = (name: string): string => labels[name] ?? name.charAt(0).toUpperCase() + name.slice(1)

/** The state of each engine: the word first, the colour beside it. */
export function Engines({ engines, version }: { readonly engines: readonly Engine[]; readonly version: string }) {
  const isLost = useLostSince() !== null
  return (
    <dl className="grid grid-cols-[minmax(0,1fr)] gap-1.5">
      {engines.map(({ name, state, detail, pid }) => (
        <div key={name}>
          <dt className="flex items-baseline justify-between gap-3">
            {labelOf(name)}
            {isLost ? <Dot tone="quiet">unknown</Dot> : <Dot tone={tones[state]}>{state}</Dot>}
          </dt>
          <dd className="truncate text-ink-2 text-sm" title={pid === null ? detail : `${detail}, process ${pid}`}>
            {detail}
          </dd>
        </div>
      ))}
      <div className="flex items-baseline justify-between gap-3">
        <dt>Clew</dt>
        <dd className="mono text-ink-2">{version}</dd>
      </div>
    </dl>
  )
}
