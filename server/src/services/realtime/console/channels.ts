import type { Bus } from '../../../engines/bus/index.ts'
import type { EngineHealth } from '../../../ground/model/health.ts'
import type { ChannelName } from '../caller/token.ts'
import type { Registry } from '../changes/registry.ts'
import { type Channel, topicPrefix } from '../channel/channel.ts'
import type { Rooms } from '../rooms/rooms.ts'
import type { RealtimeSettings } from '../settings.ts'
import { type CallersDeps, withEmails } from './callers.ts'
import { channelHere, channelsHere } from './facts.ts'
import { createLook } from './look.ts'
import type { ChannelAnswer, ChannelsAnswer } from './schemas.ts'
import { channelsTogether, channelTogether } from './together.ts'

/** The stream of row changes, as the console shows it. */
export interface StreamFacts extends Pick<EngineHealth, 'state' | 'detail'> {
  /** Log whose changes are not stored yet. */
  readonly behindBytes: number
}

/** The dependencies of `createChannels`. */
export interface ChannelsDeps {
  readonly rooms: Pick<Rooms<Channel>, 'all' | 'find' | 'nodes'>
  readonly registry: Pick<Registry, 'tables'>
  readonly connections: () => number
  readonly bus: Bus
  readonly settings: Pick<RealtimeSettings, 'consoleEntries' | 'privateOnly'>
  readonly stream: () => StreamFacts
  readonly newId: () => string
}

/** What is open in all processes, for operators. */
export interface Channels {
  list(search: string): Promise<ChannelsAnswer>
  one(name: ChannelName): Promise<ChannelAnswer>
  close(): void
}

export function createChannels(deps: ChannelsDeps, { sql }: CallersDeps): Channels {
  const { rooms, registry, connections, bus, settings, stream, newId } = deps
  const { consoleEntries: most, privateOnly } = settings
  const look = createLook({
    bus,
    newId,
    nodes: rooms.nodes,
    answers: {
      channels: (search) => channelsHere(rooms, registry, { search, most, connections: connections() }),
      channel: ({ topic, isPrivate }) => channelHere(rooms.find({ topic: topicPrefix + topic, isPrivate }), most),
    },
  })
  return {
    async list(search) {
      const heard = await look.channels(search)
      return { ...channelsTogether(heard, most), privateOnly, stream: { ...stream() } }
    },
    async one(name) {
      const together = channelTogether(await look.channel(name), name, most)
      return { ...together, memberList: await withEmails(together.memberList, { sql }) }
    },
    close: look.close,
  }
}
