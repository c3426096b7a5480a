import { Badge } from '../ui/badge.tsx'

/** Marks a link that was concluded, not carried by the request itself. */
export function Probable() {
  return (
    <span title="The request carried no session of its own; this is the session its signed-in user was last seen in.">
      <Badge tone="warn">probable</Badge>
    </span>
  )
}
