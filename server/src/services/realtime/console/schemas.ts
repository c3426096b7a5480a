import { type Static, Type } from 'typebox'
import { Instant, Nullable } from '../../../ground/http/schemas.ts'

const LastMinute = Type.Object(
  {
    said: Type.Integer({ description: 'Messages that clients sent, as members or by HTTP' }),
    sent: Type.Integer({ description: 'Messages that were sent to members, one for each of them' }),
  },
  { $id: 'RealtimeLastMinute' },
)

const ChannelFields = {
  topic: Type.String(),
  isPrivate: Type.Boolean({ description: 'A private and a public channel of one topic are apart' }),
  members: Type.Integer({ description: 'Sockets that have joined it' }),
  presences: Type.Integer({ description: 'What is tracked in it' }),
  lastMinute: LastMinute,
}

const Channel = Type.Object(ChannelFields, { $id: 'RealtimeChannel' })

const Table = Type.Object(
  {
    schema: Nullable(Type.String(), { description: 'Null: any' }),
    table: Nullable(Type.String(), { description: 'Null: any' }),
    events: Type.Array(Type.String({ description: 'INSERT, UPDATE, DELETE, *' })),
    subscriptions: Type.Integer(),
    filtered: Type.Integer({ description: 'Those of them with a filter' }),
  },
  { $id: 'RealtimeTable' },
)

const Processes = Type.Object(
  {
    asked: Type.Integer(),
    silent: Type.Integer({ description: 'Those that did not answer in time: their members are missing here' }),
  },
  { $id: 'RealtimeProcesses' },
)

export const ChannelsAnswer = Type.Object({
  channels: Type.Array(Channel, { description: 'Those with the most members' }),
  isCut: Type.Boolean({ description: 'There are more: search finds them' }),
  connections: Type.Integer(),
  tables: Type.Array(Table),
  processes: Processes,
  privateOnly: Type.Boolean(),
  stream: Type.Object({
    state: Type.String(),
    detail: Type.String(),
    behindBytes: Type.Integer({ description: 'Log whose changes are not stored yet, as this process knows it' }),
  }),
})

const MemberFields = {
  role: Type.String(),
  userId: Nullable(Type.String()),
  joinedAt: Instant,
  presenceKey: Nullable(Type.String(), { description: 'Null: it tracks nothing' }),
  subscriptions: Type.Integer({ description: 'Row changes that it asks for' }),
  isOperator: Type.Boolean({ description: 'An operator, from the console' }),
}

const Member = Type.Object(
  { ...MemberFields, email: Nullable(Type.String(), { description: 'Of the user' }) },
  { $id: 'RealtimeMember' },
)

export const PresenceShown = Type.Object(
  {
    key: Type.String(),
    text: Type.String({ description: 'JSON of what is tracked, its beginning where it is long' }),
    isCut: Type.Boolean(),
  },
  { $id: 'RealtimePresence' },
)

export const ChannelAnswer = Type.Object({
  ...ChannelFields,
  isCut: Type.Boolean({ description: 'There are more members or presences than these' }),
  memberList: Type.Array(Member),
  presenceList: Type.Array(PresenceShown),
  processes: Processes,
})

const Caller = Type.Union([
  Type.Object({ kind: Type.Union([Type.Literal('anon'), Type.Literal('service_role')]) }),
  Type.Object({
    kind: Type.Literal('user'),
    user: Type.String({ minLength: 1, maxLength: 320, description: 'E-mail address or id' }),
  }),
])

export const maxTopicChars = 1024

export const Topic = Type.String({ minLength: 1, maxLength: maxTopicChars, description: 'Without realtime: before it' })

export const TicketBody = Type.Object({ topic: Topic, isPrivate: Type.Boolean(), caller: Caller })

export const TicketAnswer = Type.Object({
  token: Type.String({ description: 'Opens the console’s socket, for this channel alone' }),
  expiresAt: Instant,
})

export const Policy = Type.Object(
  {
    name: Type.String(),
    command: Type.String(),
    roles: Type.Array(Type.String()),
    permissive: Type.Boolean(),
    using: Nullable(Type.String()),
    check: Nullable(Type.String()),
  },
  { $id: 'RealtimePolicy' },
)

export const Template = Type.Object(
  { id: Type.String(), title: Type.String(), sql: Type.String() },
  { $id: 'RealtimeTemplate' },
)

export type ChannelFacts = Static<typeof Channel>
export type TableFacts = Static<typeof Table>
export type MemberFacts = Omit<Static<typeof Member>, 'email'>
export type PresenceShown = Static<typeof PresenceShown>
export type CallerChoice = Static<typeof Caller>
export type ChannelsAnswer = Static<typeof ChannelsAnswer>
export type ChannelAnswer = Static<typeof ChannelAnswer>
export type RealtimePolicy = Static<typeof Policy>
export type RealtimeTemplate = Static<typeof Template>
