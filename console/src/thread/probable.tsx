import { Badge } from '../ui/badge.tsx'

/** Marks a conclusion that is not proven, with its reason. */
export function Probable({ why }: { readonly why: string | null }) {
  return (
    <span title={why ?? undefined}>
      <Badge tone="warn">probable</Badge>
      {why && <span className="sr-only"> {why}</span>}
    </span>
  )
}

/** Marks a request that carried the id of another browser's session. */
export function Foreign({ why }: { readonly why: string | null }) {
  return (
    <span title={why ?? undefined}>
      <Badge tone="danger">sent with the id of another session</Badge>
      {why && <span className="sr-only"> {why}</span>}
    </span>
  )
}
