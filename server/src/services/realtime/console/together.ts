import type { ChannelName } from '../caller/token.ts'
import { groupBy } from '../changes/registry.ts'
import type { ChannelHere, ChannelsHere } from './facts.ts'
import type { Heard } from './look.ts'
import type { ChannelAnswer, ChannelFacts, ChannelsAnswer, TableFacts } from './schemas.ts'

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0)

const processesOf = ({ answers, silent }: Heard<unknown>): ChannelsAnswer['processes'] => ({
  asked: answers.length + silent,
  silent,
})

/** Members are counted by the process that has them; what is tracked is known to each. */
const channelOf = (
  name: ChannelName,
  parts: readonly Pick<ChannelFacts, 'members' | 'presences' | 'lastMinute'>[],
) => ({
  ...name,
  members: sum(parts.map(({ members }) => members)),
  presences: Math.max(...parts.map(({ presences }) => presences)),
  lastMinute: {
    said: sum(parts.map(({ lastMinute }) => lastMinute.said)),
    sent: sum(parts.map(({ lastMinute }) => lastMinute.sent)),
  },
})

/** The channels of all processes, those with the most members first. */
export function channelsTogether(
  heard: Heard<ChannelsHere>,
  most: number,
): Pick<ChannelsAnswer, 'channels' | 'isCut' | 'connections' | 'tables' | 'processes'> {
  const { answers } = heard
  const byName = groupBy(
    answers.flatMap(({ channels }) => channels),
    ({ topic, isPrivate }) => `${isPrivate} ${topic}`,
  )
  const channels = [...byName.values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [channelOf({ topic: first.topic, isPrivate: first.isPrivate }, [first, ...others])],
  )
  return {
    channels: channels.sort((a, b) => b.members - a.members || (a.topic < b.topic ? -1 : 1)).slice(0, most),
    isCut: answers.some(({ isCut }) => isCut) || channels.length > most,
    connections: sum(answers.map(({ connections }) => connections)),
    tables: tablesTogether(answers.flatMap(({ tables }) => tables)),
    processes: processesOf(heard),
  }
}

function tablesTogether(parts: readonly TableFacts[]): TableFacts[] {
  const byName = groupBy(parts, ({ schema, table }) => JSON.stringify([schema, table]))
  return [...byName.values()].flatMap((same) => {
    const [first] = same
    if (first === undefined) return []
    return {
      ...{ schema: first.schema, table: first.table },
      events: [...new Set(same.flatMap(({ events }) => events))].sort(),
      subscriptions: sum(same.map(({ subscriptions }) => subscriptions)),
      filtered: sum(same.map(({ filtered }) => filtered)),
    }
  })
}

/** One channel as all processes know it; its members have no addresses yet. */
export function channelTogether(heard: Heard<ChannelHere>, name: ChannelName, most: number) {
  const { answers } = heard
  const memberList = answers
    .flatMap((each) => each.memberList)
    .sort((a, b) => (a.joinedAt < b.joinedAt ? -1 : 1))
    .slice(0, most)
  const known = answers.reduce((best, each) => (each.presenceList.length > best.presenceList.length ? each : best))
  const facts = channelOf({ topic: name.topic, isPrivate: name.isPrivate }, answers)
  return {
    ...facts,
    isCut: answers.some(({ isCut }) => isCut) || memberList.length < facts.members,
    memberList,
    presenceList: [...known.presenceList],
    processes: processesOf(heard),
  } satisfies Omit<ChannelAnswer, 'memberList'> & { readonly memberList: object }
}
