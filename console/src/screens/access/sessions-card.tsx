import { useMutation } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import { errorText } from '../../lib/api/api-error.ts'
import type { Access } from '../../lib/api/schemas.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, CardProblem } from '../../ui/card.tsx'
import { Time } from '../../ui/time.tsx'
import { deviceName } from './device.ts'

interface SessionsCardProps {
  readonly sessions: Access['sessions']
  readonly onChanged: () => void
}

/** The browsers in which the operator is signed in. */
export function SessionsCard({ sessions, onChanged }: SessionsCardProps) {
  const endOne = useMutation({ mutationFn: api.endSession, onSettled: onChanged })
  const endOthers = useMutation({ mutationFn: api.endOtherSessions, onSettled: onChanged })
  const error = endOne.error ?? endOthers.error
  return (
    <Card
      title="Sessions"
      about="Browsers that are signed in to your account."
      action={
        sessions.length > 1 && (
          <Button disabled={endOthers.isPending} onClick={() => endOthers.mutate()}>
            Sign out all others
          </Button>
        )
      }
    >
      <ul className="grid divide-y divide-line">
        {sessions.map(({ id, userAgent, address, createdAt, lastSeenAt, isCurrent }) => (
          <li key={id} className="flex items-center gap-3 py-2">
            <div className="grid min-w-0 flex-1">
              <span className="flex items-center gap-2">
                <span className="truncate" title={userAgent}>
                  {deviceName(userAgent)}
                </span>
                {isCurrent && <Badge>this browser</Badge>}
              </span>
              <span className="text-ink-2 text-sm">
                <span className="mono">{address}</span> · signed in <Time at={createdAt} /> · last seen{' '}
                <Time at={lastSeenAt} />
              </span>
            </div>
            {!isCurrent && (
              <Button
                size="small"
                aria-label={`Sign out ${deviceName(userAgent)}`}
                disabled={endOne.isPending}
                onClick={() => endOne.mutate(id)}
              >
                Sign out
              </Button>
            )}
          </li>
        ))}
      </ul>
      <CardProblem text={error ? errorText(error) : undefined} />
    </Card>
  )
}
