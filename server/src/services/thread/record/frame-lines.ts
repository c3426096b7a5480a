import type { FrameRecord } from '../../../ground/model/frame.ts'
import { stringifyWellFormed } from '../../../ground/text/well-formed.ts'
import { clickhouseTime } from './request-lines.ts'

/** The columns of `frames`, in the order of a line's values. */
export const frameColumns = (
  'id time connection_id session_id window_id distinct_id user_id auth_session_id channel exact ' +
  'direction kind topic event bytes cause_id delay_ms skipped'
).split(' ')

const longestName = 512

/** A message of a socket as a row. */
export function frameLine(frame: FrameRecord): string {
  const { tag, cause } = frame
  return stringifyWellFormed([
    frame.id,
    clickhouseTime(frame.at),
    frame.connectionId,
    tag.sessionId ?? '',
    tag.windowId ?? '',
    tag.distinctId ?? '',
    frame.userId ?? '',
    frame.authSessionId ?? '',
    tag.channel,
    tag.exact,
    frame.direction,
    frame.kind,
    frame.topic.slice(0, longestName),
    frame.event.slice(0, longestName),
    frame.bytes,
    cause?.id ?? '',
    cause === null ? null : Math.max(0, frame.at.getTime() - cause.at.getTime()),
    frame.skipped,
  ])
}
