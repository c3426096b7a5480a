import { Link } from '@tanstack/react-router'
import { Play } from 'lucide-react'
import { momentSearch } from '../lib/time.ts'
import { buttonClasses } from '../ui/button.tsx'
import { formatOffset } from '../ui/time-text.ts'

interface MomentLinkProps {
  readonly sessionId: string
  readonly atMs: number
  /** The request or message that the link leads to the moment of. */
  readonly of?: string
  /** Without a recording there is a timeline, but no picture. */
  readonly hasRecording: boolean
}

/** The link to a moment of a session. */
export function MomentLink({ sessionId, atMs, of, hasRecording }: MomentLinkProps) {
  const offset = formatOffset(atMs)
  return (
    <Link
      to="/sessions/$id"
      params={{ id: sessionId }}
      search={momentSearch(atMs, of)}
      aria-label={hasRecording ? `Watch the session at ${offset}` : `Open the session at ${offset}, not recorded`}
      className={buttonClasses('plain', 'small')}
    >
      {hasRecording && <Play aria-hidden="true" className="size-3 fill-thread text-thread" />}
      <span className="tabular mono">{offset}</span>
    </Link>
  )
}
