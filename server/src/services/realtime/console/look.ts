import type { Bus } from '../../../engines/bus/index.ts'
import type { ChannelName } from '../caller/token.ts'
import type { ChannelHere, ChannelsHere } from './facts.ts'

/** What each process answers. */
export interface Answers {
  channels(search: string): ChannelsHere
  channel(name: ChannelName): ChannelHere
}

type Question =
  | { readonly kind: 'channels'; readonly about: string }
  | { readonly kind: 'channel'; readonly about: ChannelName }

/** What the processes answered, this one first. */
export interface Heard<Answer> {
  readonly answers: readonly Answer[]
  /** Processes that did not answer in time. */
  readonly silent: number
}

/** The dependencies of `createLook`. */
export interface LookDeps {
  readonly bus: Bus
  /** The other nodes, as far as they are known. */
  readonly nodes: () => readonly string[]
  readonly answers: Answers
  readonly newId: () => string
}

/** Asks all processes what is open in them. */
export interface Look {
  channels(search: string): Promise<Heard<ChannelsHere>>
  channel(name: ChannelName): Promise<Heard<ChannelHere>>
  close(): void
}

const subject = 'realtime.look'
/** A process that is busy for longer is left out. */
const patienceMs = 500

interface Waiting {
  readonly answers: unknown[]
  readonly missing: Set<string>
  readonly done: () => void
}

export function createLook({ bus, nodes, answers, newId }: LookDeps): Look {
  const waiting = new Map<string, Waiting>()
  const answersTo = (node: string): string => `${subject}.${node}`
  const answer = ({ kind, about }: Question): ChannelsHere | ChannelHere =>
    kind === 'channels' ? answers.channels(about) : answers.channel(about)
  const unsubscribe = [
    bus.subscribe(subject, ({ from, bytes }) => {
      const { id, question } = JSON.parse(bytes.toString()) as { id: string; question: Question }
      bus.publish(answersTo(from), () => Buffer.from(JSON.stringify({ id, answer: answer(question) })))
    }),
    bus.subscribe(answersTo(bus.node), ({ from, bytes }) => {
      const { id, answer: said } = JSON.parse(bytes.toString()) as { id: string; answer: unknown }
      const one = waiting.get(id)
      if (one?.missing.delete(from) !== true) return
      one.answers.push(said)
      if (one.missing.size === 0) one.done()
    }),
  ]
  /** Resolves when all have answered, or have not in time. */
  const askOthers = async (question: Question): Promise<Heard<unknown>> => {
    const missing = new Set(nodes())
    const others: unknown[] = []
    if (missing.size === 0) return { answers: others, silent: 0 }
    const id = newId()
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, patienceMs)
      const done = (): void => {
        clearTimeout(timer)
        resolve()
      }
      waiting.set(id, { answers: others, missing, done })
      bus.publish(subject, () => Buffer.from(JSON.stringify({ id, question })))
    })
    waiting.delete(id)
    return { answers: others, silent: missing.size }
  }
  // Processes of one version answer one another; the answers are of the kind that was asked for.
  return {
    async channels(search) {
      const heard = await askOthers({ kind: 'channels', about: search })
      return { ...heard, answers: [answers.channels(search), ...(heard.answers as ChannelsHere[])] }
    },
    async channel(name) {
      const heard = await askOthers({ kind: 'channel', about: name })
      return { ...heard, answers: [answers.channel(name), ...(heard.answers as ChannelHere[])] }
    },
    close() {
      for (const end of unsubscribe) end()
    },
  }
}
