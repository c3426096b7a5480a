import { type Static, Type } from 'typebox'
import { shareLanes } from '../../ground/model/session.ts'

const Lane = Type.Union(shareLanes.map((lane) => Type.Literal(lane)))
const Instant = Type.String({ format: 'date-time' })

/** What a new link shows, and how long. */
export const ShareBody = Type.Object({
  sessionId: Type.String({ minLength: 1, maxLength: 200 }),
  lanes: Type.Array(Lane, {
    maxItems: shareLanes.length,
    uniqueItems: true,
    description: 'Beside the recording and its pages',
  }),
  showsValues: Type.Boolean({ description: 'Values of rows and of filters' }),
  showsPerson: Type.Boolean({ description: 'Who the session is of' }),
  hours: Type.Integer({ minimum: 1, maximum: 8_760 }),
})

/** A link to a session, without its token. */
export const Share = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    sessionId: Type.String(),
    lanes: Type.Array(Lane),
    showsValues: Type.Boolean(),
    showsPerson: Type.Boolean(),
    createdBy: Type.String(),
    createdAt: Instant,
    expiresAt: Instant,
    revokedAt: Type.Union([Instant, Type.Null()]),
    opened: Type.Integer({ description: 'How often it was opened' }),
    lastOpenedAt: Type.Union([Instant, Type.Null()]),
  },
  { $id: 'Share' },
)

/** A link as it was made: only now is its token told. */
export const NewShare = Type.Object({
  share: Share,
  token: Type.String({ description: 'What stands behind the # of `/console/shared`' }),
})

export type ShareBody = Static<typeof ShareBody>
