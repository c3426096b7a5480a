/**
 * What a tab of the console can watch, by its name, and whether the name is followed by what it is of, as in
 * `session:0197…`. A notice says that something of the topic is new, and not what: it carries nothing that its reader did
 * not name.
 */
const topicNames = {
  /** Sessions: something of one was stored. */
  sessions: 'all',
  /** A session: an event, a request, a frame or a part of its recording was stored. */
  session: 'one',
  /** A session's recording: a part of it was stored. */
  recording: 'one',
  /** Requests: some were stored. */
  requests: 'all',
  /** Row changes: some were stored. */
  changes: 'all',
  /** A function's log: a line was stored. */
  'function-logs': 'one',
  /** Events: some were stored. */
  events: 'all',
  /** Errors: an exception was stored. */
  errors: 'all',
  /** Jobs and their runs. */
  jobs: 'all',
  /** Webhooks' deliveries, and requests of pg_net. */
  deliveries: 'all',
  /** Channels of realtime: who is in them, what is tracked, and how much is said. */
  realtime: 'all',
  /** Sessions of operators: one has ended. */
  access: 'all',
  /** Functions: another version of one answers. */
  functions: 'all',
  /** What operators do: something was changed by the console, or by a command line that calls its API. */
  console: 'all',
} as const

type Names = typeof topicNames

/** The name of a topic. */
export type LiveName = keyof Names

/** A topic as notices name it. */
export type LiveTopic = {
  [Name in LiveName]: Names[Name] extends 'all' ? Name : `${Name}:${string}`
}[LiveName]

/** Tells who watches that something is new. */
export interface LiveNotices {
  /** Costs next to nothing where the topic is not watched. */
  announce(topic: LiveTopic): void
  /** Whether any topic of a name is watched, in this process or another: what is costly to name need not be named otherwise. */
  isWatched(name: LiveName): boolean
}

/** Notices without any watcher. */
export const unwatched: LiveNotices = { announce: () => undefined, isWatched: () => false }

const longestArgument = 200
const plainText = /^\P{Cc}+$/u

/** Reads a topic; null where there is none such. */
export function parseLiveTopic(text: string): LiveTopic | null {
  const colon = text.indexOf(':')
  const name = colon < 0 ? text : text.slice(0, colon)
  if (!isLiveName(name)) return null
  const argument = colon < 0 ? null : text.slice(colon + 1)
  if (topicNames[name] === 'all') return argument === null ? (text as LiveTopic) : null
  const isNamed = argument !== null && argument.length <= longestArgument && plainText.test(argument)
  // The checks above are the type's own definition.
  return isNamed ? (text as LiveTopic) : null
}

const isLiveName = (name: string): name is LiveName => Object.hasOwn(topicNames, name)

/** The name of a topic, without what it is of. */
export const liveNameOf = (topic: LiveTopic): LiveName => topic.split(':', 1)[0] as LiveName

/**
 * Announces that rows of sessions were stored.
 *
 * @param idsOf reads the rows' sessions; called only where one is watched
 */
export function announceSessions(live: LiveNotices, idsOf: () => Iterable<string | null>): void {
  live.announce('sessions')
  if (!live.isWatched('session')) return
  for (const id of new Set(idsOf())) if (id !== null && id !== '') live.announce(`session:${id}`)
}
