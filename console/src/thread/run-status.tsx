import type { JobRun } from '../lib/api/schemas.ts'
import { Dot, type Tone } from '../ui/badge.tsx'

const tones: Readonly<Record<JobRun['status'], Tone>> = { running: 'info', succeeded: 'ok', failed: 'danger' }

/** How a run of a job went. */
export function RunStatus({ run: { status, message } }: { readonly run: Pick<JobRun, 'status' | 'message'> }) {
  return (
    <span title={message ?? undefined}>
      <Dot tone={tones[status]}>{status}</Dot>
    </span>
  )
}
