import type { Engine } from '../../lib/shapes.ts'
import { Dot, type Tone } from '../../ui/badge.tsx'

const tones: Readonly<Record<Engine['state'], Tone>> = { up: 'ok', starting: 'warn', down: 'danger' }

/** How the engines are: the word first, the colour beside it. */
export function Engines({ engines, version }: { readonly engines: readonly Engine[]; readonly version: string }) {
  return (
    <dl className="grid gap-1.5">
      {engines.map(({ name, state, detail, pid }) => (
        <div key={name} className="flex items-baseline justify-between gap-3">
          <dt className="min-w-0 truncate" title={pid === null ? undefined : `process ${pid}`}>
            {name} <span className="text-ink-2">{detail}</span>
          </dt>
          <dd>
            <Dot tone={tones[state]}>{state}</Dot>
          </dd>
        </div>
      ))}
      <div className="flex justify-between gap-3">
        <dt>Clew</dt>
        <dd className="mono text-ink-2">{version}</dd>
      </div>
    </dl>
  )
}
