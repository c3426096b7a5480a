import type { Registry } from '../changes/registry.ts'
import { type Channel, topicPrefix } from '../channel/channel.ts'
import type { Room } from '../rooms/room.ts'
import type { Rooms } from '../rooms/rooms.ts'
import type { ChannelFacts, MemberFacts, PresenceShown, TableFacts } from './schemas.ts'

/** What one process knows of its channels. */
export interface ChannelsHere {
  readonly channels: readonly ChannelFacts[]
  /** There are more than these. */
  readonly isCut: boolean
  readonly connections: number
  readonly tables: readonly TableFacts[]
}

/** What one process knows of a channel. */
export interface ChannelHere extends Pick<ChannelFacts, 'members' | 'presences' | 'lastMinute'> {
  readonly isCut: boolean
  readonly memberList: readonly MemberFacts[]
  readonly presenceList: readonly PresenceShown[]
}

/** The channels whose topic has a text in it, those with the most members. */
export function channelsHere(
  rooms: Pick<Rooms<Channel>, 'all'>,
  registry: Pick<Registry, 'tables'>,
  { search, most, connections }: { readonly search: string; readonly most: number; readonly connections: number },
): ChannelsHere {
  const wanted = search.toLowerCase()
  const all = rooms.all()
  const found = wanted === '' ? all : all.filter(({ topic }) => nameOf(topic).toLowerCase().includes(wanted))
  return {
    channels: largest(found, most).map(factsOf),
    isCut: found.length > most,
    connections,
    tables: registry.tables().slice(0, most),
  }
}

const nameOf = (topic: string): string => topic.slice(topicPrefix.length)

const factsOf = ({ topic, isPrivate, members, presence, traffic }: Room<Channel>): ChannelFacts => ({
  topic: nameOf(topic),
  isPrivate,
  members: members.size,
  presences: presence.size,
  lastMinute: { said: traffic.said.total(), sent: traffic.sent.total() },
})

/** Above the number of rooms that fit into memory. */
const placeSpan = 2 ** 24

/** Those with the most members. Numbers are sorted without a function of ours, for which a hundred thousand are too many. */
function largest(rooms: readonly Room<Channel>[], most: number): readonly Room<Channel>[] {
  const ranks = new Float64Array(rooms.length)
  for (const [place, { members }] of rooms.entries()) ranks[place] = members.size * placeSpan + placeSpan - 1 - place
  return [...ranks.sort().subarray(-most)].reverse().flatMap((rank) => rooms[placeSpan - 1 - (rank % placeSpan)] ?? [])
}

/** Of what is tracked: how much of one is shown, and of all of them. */
const shownChars = 4096
const allChars = 1_000_000

/** A channel with its members and what they track, as far as they are shown. */
export function channelHere(room: Room<Channel> | undefined, most: number): ChannelHere {
  if (room === undefined)
    return {
      ...{ members: 0, presences: 0, lastMinute: { said: 0, sent: 0 }, isCut: false },
      ...{ memberList: [], presenceList: [] },
    }
  const memberList = [...room.members].slice(0, most).map((member) => memberOf(member, room))
  const presenceList = presencesOf(room, most)
  const { members, presences, lastMinute } = factsOf(room)
  const isCut = memberList.length < members || presenceList.length < presences
  return { members, presences, lastMinute, isCut, memberList, presenceList }
}

const memberOf = (member: Channel, room: Room<Channel>): MemberFacts => ({
  role: member.grant.caller.role,
  userId: member.grant.caller.userId,
  joinedAt: member.joinedAt.toISOString(),
  presenceKey: room.presence.has(member) ? member.presenceKey : null,
  subscriptions: member.config.changes.length,
  isOperator: member.grant.only !== null,
})

function presencesOf({ presence }: Room<Channel>, most: number): readonly PresenceShown[] {
  const shown: PresenceShown[] = []
  let chars = 0
  for (const [key, { metas }] of Object.entries(presence.state()))
    for (const meta of metas) {
      if (shown.length >= most || chars > allChars) return shown
      const { phx_ref, phx_ref_prev, ...payload } = meta
      const text = JSON.stringify(payload)
      chars += text.length
      shown.push({ key: key.slice(0, shownChars), text: text.slice(0, shownChars), isCut: text.length > shownChars })
    }
  return shown
}
