import type { IssueSummary } from '../lib/api/schemas.ts'
import { Badge } from '../ui/badge.tsx'

const tones = { open: 'danger', resolved: 'ok', ignored: 'quiet' } as const

/** What was decided of an error, and whether it came back since. */
export const IssueState = ({ issue: { state, cameBackAt } }: { readonly issue: IssueSummary }) => (
  <Badge tone={tones[state]}>{cameBackAt === null ? state : 'came back'}</Badge>
)
