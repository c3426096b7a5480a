import { Link } from '@tanstack/react-router'
import type { ErasurePreview } from '../../lib/api/schemas.ts'
import { Card } from '../../ui/card.tsx'
import { Time } from '../../ui/time.tsx'

/** The legal holds that stand against an erasure. */
export function HoldsCard({ holds }: Pick<ErasurePreview, 'holds'>) {
  return (
    <Card
      title="Held"
      about="Legal holds keep data of this person: nothing is erased while one of them is open. An export is possible."
    >
      <ul aria-label="Holds" className="grid gap-1">
        {holds.map(({ id, reason, until }) => (
          <li key={id} className="wrap-anywhere">
            {reason}
            {until !== null && (
              <span className="text-ink-2">
                , until <Time at={until} look="clock" />
              </span>
            )}
          </li>
        ))}
      </ul>
      <Link to="/settings/disk" className="quiet-link w-max">
        All holds
      </Link>
    </Card>
  )
}
