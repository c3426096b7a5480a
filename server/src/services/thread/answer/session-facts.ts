import type { RecordingSummary } from '../../../ground/model/recording.ts'
import type { SessionEventSummary } from '../../../ground/model/session-event.ts'
import type { SessionSummary } from '../schemas/session.ts'
import { countErrors } from '../timeline/error-lines.ts'
import type { KnownSession } from './people/evidence.ts'
import type { SessionPeople } from './people/presence.ts'

/** A session as its sources know it, put together; what people and users are called is not yet asked. */
export type SessionFacts = Omit<SessionSummary, 'person' | 'people' | 'changes'> & {
  readonly distinctId: string
  readonly known: SessionPeople
}

/** How long a session is live after the last that was seen of it. */
export const liveMs = 60_000

/** The latest start first. */
export const newestFirst = (facts: readonly SessionFacts[]): readonly SessionFacts[] =>
  [...facts].sort((a, b) => Date.parse(b.startedAt) - Date.parse(a.startedAt))

/** What the sources of one session come to; nothing where none knows it. */
export function mergeFacts(
  id: string,
  recorded: RecordingSummary | undefined,
  captured: SessionEventSummary | undefined,
  { people, requests }: KnownSession,
  now: Date,
): readonly SessionFacts[] {
  const requested =
    requests === null
      ? undefined
      : { ...requests, startedAt: new Date(requests.startedMs), endedAt: new Date(requests.endedMs) }
  const known = [recorded, captured, requested].filter((summary) => summary !== undefined)
  if (known.length === 0) return []
  const startedMs = Math.min(...known.map(({ startedAt }) => startedAt.getTime()))
  const endedMs = Math.max(startedMs, ...known.map(({ endedAt }) => endedAt.getTime()))
  const seenMs = Math.max(
    recorded?.lastActiveAt.getTime() ?? 0,
    captured?.lastReceivedAt.getTime() ?? 0,
    requested?.endedAt.getTime() ?? 0,
  )
  const quietMs = Math.max(0, now.getTime() - seenMs)
  const captures = captured?.pageviews ?? 0
  return [
    {
      id,
      startedAt: new Date(startedMs).toISOString(),
      endedAt: new Date(endedMs).toISOString(),
      durationMs: endedMs - startedMs,
      activeMs: recorded?.activeMs ?? 0,
      live: quietMs < liveMs,
      quietMs,
      hasRecording: recorded !== undefined,
      distinctId: recorded?.distinctId ?? captured?.distinctId ?? '',
      known: people,
      browser: captured?.browser ?? recorded?.browser ?? null,
      os: captured?.os ?? recorded?.os ?? null,
      device: captured?.device ?? recorded?.device ?? null,
      country: countryOf(captured?.countryCode ?? null),
      city: captured?.city ?? null,
      entryPath: pathOf(captured?.firstUrl ?? recorded?.firstUrl ?? null),
      pages: captures > 0 ? captures : (recorded?.pages ?? 0),
      clicks: recorded?.clicks ?? captured?.autocaptureClicks ?? 0,
      events: captured?.events ?? 0,
      requests: requested?.requests ?? 0,
      errors: countErrors(recorded?.errorLines ?? [], captured?.exceptionLines ?? [], {
        console: recorded?.consoleErrors ?? 0,
        exceptions: captured?.exceptions ?? 0,
        requests: requested?.errors ?? 0,
      }),
    },
  ]
}

const countries = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' })

/** A country by its code, which may be any text that a client sent. */
function countryOf(code: string | null): { readonly code: string; readonly name: string } | null {
  if (code === null) return null
  return { code, name: /^[A-Z]{2}$/.test(code) ? (countries.of(code) ?? code) : code }
}

function pathOf(url: string | null): string | null {
  if (url === null || url === '') return null
  return URL.canParse(url) ? new URL(url).pathname : url
}
