import { Link } from '@tanstack/react-router'
import { personName } from '../lib/person.ts'
import type { Cause } from '../lib/shapes.ts'
import { MomentLink } from './moment-link.tsx'
import { Probable } from './probable.tsx'

/** Who or what made a change, with the doors to the request and to the moment. */
export function CauseLine({ cause }: { readonly cause: Cause }) {
  switch (cause.kind) {
    case 'session':
      return (
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="min-w-0">
            <strong className="font-medium">{personName(cause.person)}</strong>
            <span className="text-ink-2"> in this session at</span>
          </span>
          <MomentLink sessionId={cause.sessionId} atMs={cause.atMs} hasRecording={cause.hasRecording} />
          {!cause.exact && <Probable />}
          <RequestDoor {...cause} />
        </div>
      )
    case 'request':
      return (
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="min-w-0">
            {cause.person ? (
              <strong className="font-medium">{personName(cause.person)}</strong>
            ) : (
              <>
                A request as <span className="mono">{cause.role}</span>
              </>
            )}
            <span className="text-ink-2">, no session</span>
          </span>
          <RequestDoor {...cause} />
        </div>
      )
    case 'sql':
      return <p className="text-ink-2">Direct SQL: no session</p>
    default:
      return cause satisfies never
  }
}

function RequestDoor({ requestId, method, path }: { requestId: string; method: string; path: string }) {
  return (
    <Link
      to="/requests/$id"
      params={{ id: requestId }}
      className="mono ml-auto min-w-0 truncate text-ink-2 hover:text-ink hover:underline"
    >
      {method} {path}
    </Link>
  )
}
