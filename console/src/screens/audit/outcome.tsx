import type { OperatorAction } from '../../lib/api/schemas.ts'
import { Dot } from '../../ui/badge.tsx'

const tones = { begun: 'quiet', succeeded: 'ok', failed: 'danger' } as const

/** How an action ended: `begun` where Clew was stopped in between. */
export function Outcome({ outcome, problem }: Pick<OperatorAction, 'outcome' | 'problem'>) {
  return (
    <span title={problem ?? undefined}>
      <Dot tone={tones[outcome]}>{outcome}</Dot>
      {problem && <span className="ml-1.5 text-ink-2">{problem}</span>}
    </span>
  )
}
