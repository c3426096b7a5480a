import { Badge } from '../ui/badge.tsx'

/** Marks what was concluded, not proven, with the reason. */
export function Probable({ why }: { readonly why: string | null }) {
  return (
    <span title={why ?? undefined}>
      <Badge tone="warn">probable</Badge>
      {why && <span className="sr-only"> {why}</span>}
    </span>
  )
}

/** Says that a request carried the id of a session that it is not of. */
export function Foreign({ why }: { readonly why: string | null }) {
  return (
    <span title={why ?? undefined}>
      <Badge tone="danger">sent with the id of another session</Badge>
      {why && <span className="sr-only"> {why}</span>}
    </span>
  )
}
