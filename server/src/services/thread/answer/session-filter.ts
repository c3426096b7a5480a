import type { SeenFlag } from '../../../ground/model/session.ts'
import type { RequestCondition } from './queries/request-condition.ts'
import type { SessionFacts } from './session-facts.ts'

/** Which sessions are wanted; what is absent is not asked for. */
export interface SessionFilter extends RequestCondition {
  readonly live?: boolean
  readonly errors?: boolean
  /** ISO instants between which it began. */
  readonly from?: string
  readonly to?: string
  /** Seconds from its beginning to its end at least. */
  readonly seconds?: number
  /** ISO 3166-1 code. */
  readonly country?: string
  /** A flag that was shown in it, `key` or `key=variant`. */
  readonly flag?: string
}

/** What is asked of a session's requests; null for nothing. */
export function requestConditionOf({ status, requestMs, statementMs, table }: SessionFilter): RequestCondition | null {
  const condition = {
    ...(status === undefined ? {} : { status }),
    ...(requestMs === undefined ? {} : { requestMs }),
    ...(statementMs === undefined ? {} : { statementMs }),
    ...(table === undefined ? {} : { table }),
  }
  return Object.keys(condition).length === 0 ? null : condition
}

/** The flag that is asked for; null for none. */
export function seenFlagOf({ flag }: SessionFilter): SeenFlag | null {
  if (flag === undefined) return null
  const equals = flag.indexOf('=')
  return equals === -1 ? { key: flag, variant: null } : { key: flag.slice(0, equals), variant: flag.slice(equals + 1) }
}

/** Whether a session is wanted, as far as it says itself; its requests and flags are asked elsewhere. */
export function fitsFilter(filter: SessionFilter, facts: SessionFacts): boolean {
  const startMs = Date.parse(facts.startedAt)
  return (
    (filter.live !== true || facts.live) &&
    (filter.errors !== true || facts.errors > 0) &&
    (filter.from === undefined || startMs >= Date.parse(filter.from)) &&
    (filter.to === undefined || startMs < Date.parse(filter.to)) &&
    (filter.seconds === undefined || facts.durationMs >= filter.seconds * 1000) &&
    (filter.country === undefined || facts.country?.code === filter.country)
  )
}
