import type { ExportRun } from '../../lib/api/schemas.ts'
import { Dot, type Tone } from '../../ui/badge.tsx'

const tones: Readonly<Record<ExportRun['state'], Tone>> = {
  running: 'info',
  waiting: 'warn',
  done: 'ok',
  failed: 'danger',
}

/** How a run of an export goes, or went. */
export function RunState({ run: { state, error } }: { readonly run: Pick<ExportRun, 'state' | 'error'> }) {
  return (
    <span title={error ?? undefined}>
      <Dot tone={tones[state]}>{state === 'waiting' ? 'is tried again' : state}</Dot>
    </span>
  )
}

/** What a run has written, of all kinds together. */
export const totalOf = ({ kinds }: Pick<ExportRun, 'kinds'>) =>
  kinds.reduce(
    (sum, { files, rows, bytes }) => ({ files: sum.files + files, rows: sum.rows + rows, bytes: sum.bytes + bytes }),
    { files: 0, rows: 0, bytes: 0 },
  )
