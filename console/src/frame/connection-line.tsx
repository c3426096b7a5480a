import { useLostSince } from '../lib/api/connection.ts'
import { useLiveLost } from '../lib/live/use-live.ts'
import { Dot } from '../ui/badge.tsx'
import { Time } from '../ui/time.tsx'

/** Stands over every screen while Clew does not answer, or answers and does not say by itself what is new. */
export function ConnectionLine() {
  const since = useLostSince()
  const isLiveLost = useLiveLost()
  // The region stands before it has something to say: a reader speaks only what changes in it.
  return (
    <div role="status">
      {since !== null && (
        <p className="flex h-8 items-center gap-2 border-line border-b bg-sunken px-4 text-sm max-sheet:px-2">
          <Dot tone="warn">Connection lost</Dot>
          <span className="min-w-0 truncate text-ink-2">
            No answer since <Time at={new Date(since).toISOString()} look="clock" />
            <span className="max-sheet:hidden">. This page shows the last data received. Reconnecting …</span>
          </span>
        </p>
      )}
      {since === null && isLiveLost && (
        <p className="flex h-6 items-center border-line border-b bg-sunken px-4 text-ink-2 text-xs max-sheet:px-2">
          No live connection: this page is refreshed every few seconds
        </p>
      )}
    </div>
  )
}
