import { type Static, Type } from 'typebox'
import { Nullable, OffsetMs } from './parts.ts'
import { SessionSummary } from './session.ts'

/** A recording by its messages, or by its minutes, in the order in which they begin: a list for each fact, one place a part. */
const RecordingOutline = Type.Object(
  {
    begunMs: Type.Number({ description: 'When the first message began on the browser’s clock, ms since 1970' }),
    isCut: Type.Boolean({ description: 'There are more parts than are listed; the limit is a setting' }),
    windows: Type.Array(Type.String()),
    window: Type.Array(Type.Integer(), { description: 'The place in `windows`' }),
    tail: Type.Array(Type.String(), { description: 'The last 12 digits of a message’s id; empty for several' }),
    messages: Type.Array(Type.Integer(), { description: 'How many messages: 1, or those of a minute of a window' }),
    fromMs: Type.Array(OffsetMs, { description: 'After `begunMs`, as are the others' }),
    lastFromMs: Type.Array(OffsetMs, { description: 'When the last of the messages begins' }),
    toMs: Type.Array(OffsetMs),
    activeFromMs: Type.Array(Nullable(OffsetMs), { description: 'Where the person’s activity begins' }),
    activeToMs: Type.Array(Nullable(OffsetMs)),
    hasPage: Type.Array(Type.Boolean(), { description: 'It is a message that holds a whole page' }),
    bytes: Type.Array(Type.Integer(), { description: 'Of its events’ text, as it was sent' }),
  },
  { $id: 'RecordingOutline' },
)

/** A session without what happened in it. */
export const SessionOutline = Type.Object(
  { session: SessionSummary, recording: Nullable(RecordingOutline) },
  { $id: 'SessionOutline' },
)

export type SessionOutline = Static<typeof SessionOutline>
