import { useQuery } from '@tanstack/react-query'
import { useRights } from '../lib/rights.ts'
import { Badge } from '../ui/badge.tsx'
import { type HoldSubject, holdsOn, keptLongerQuery } from './queries.ts'

/** Says that a hold is on a session or a person; nothing where there is none. */
export function Held({ subject }: { readonly subject: Extract<HoldSubject, { id: string }> }) {
  const { canLook } = useRights()
  const { data } = useQuery({ ...keptLongerQuery, enabled: canLook })
  const [hold] = holdsOn(data?.holds ?? [], subject)
  if (hold === undefined) return null
  return (
    <span title={`${hold.reason} – ${hold.createdBy}`}>
      <Badge tone="info">legal hold</Badge>
    </span>
  )
}
