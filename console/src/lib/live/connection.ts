import type { LiveTopic } from './topics.ts'

/** The part of a WebSocket that is used. */
export type LiveSocket = Pick<WebSocket, 'send' | 'close' | 'onopen' | 'onmessage' | 'onclose' | 'readyState'>

/** One connection to the server for all that the tab watches; open as long as it watches anything. */
export interface LiveConnection {
  /**
   * Watches topics. `changed` is called when there is something new of one, and once when the server has begun to watch:
   * what was read before may miss something.
   *
   * @returns what ends it
   */
  watch(topics: readonly LiveTopic[], changed: () => void): () => void
  /** Whether there was no connection for some seconds, though something is watched. */
  isLost(): boolean
  /** Hears when that changes, and at once when a connection breaks. */
  subscribe(changed: () => void): () => void
  /** A hidden tab watches nothing. */
  setSeen(isSeen: boolean): void
}

/** The connection's dependencies. */
export interface LiveConnectionDeps {
  readonly open: () => LiveSocket
  /** Called when the server says that the operator is signed out. */
  readonly signedOut: () => void
}

/** Messages about what is watched are so far apart at least; the server counts them. */
const messageEveryMs = 250
/** What one screen watches is told together. */
const gatherMs = 10
const firstPauseMs = 500
const longestPauseMs = 15_000
/** A shorter break is not worth a word. */
const lostAfterMs = 5_000
/** The server's close code for a session that has ended. */
const signedOutCode = 4401
const openState = 1

/** Who listens to which topic. */
function createListeners() {
  const listeners = new Map<LiveTopic, Set<() => void>>()
  return {
    topics: () => [...listeners.keys()],
    add(topics: readonly LiveTopic[], changed: () => void): () => void {
      // A listener of its own for each call, so that one function may watch twice.
      const own = () => changed()
      for (const topic of topics) listeners.set(topic, (listeners.get(topic) ?? new Set()).add(own))
      return () => {
        for (const topic of topics) {
          const all = listeners.get(topic)
          if (all?.delete(own) && all.size === 0) listeners.delete(topic)
        }
      }
    },
    call(topics: readonly string[]) {
      // The server names topics of this tab only.
      for (const topic of topics) for (const changed of listeners.get(topic as LiveTopic) ?? []) changed()
    },
  }
}

/** Whether something has been missing for a while. */
function createMissing(changed: () => void) {
  let isMissing = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const set = (next: boolean) => {
    if (isMissing === next) return
    isMissing = next
    changed()
  }
  return {
    is: () => isMissing,
    begin() {
      timer ??= setTimeout(() => set(true), lostAfterMs)
    },
    end() {
      clearTimeout(timer)
      timer = undefined
      set(false)
    },
  }
}

interface LinkDeps extends Pick<LiveConnectionDeps, 'open'> {
  readonly isWanted: () => boolean
  readonly opened: () => void
  readonly received: (text: string) => void
  /** Called when the connection broke that is wanted, or was never made. */
  readonly broke: (code: number) => void
}

/** A socket that is opened again whenever it breaks, each time after a longer pause, for as long as it is wanted. */
function createLink({ open, isWanted, opened, received, broke }: LinkDeps) {
  let socket: LiveSocket | null = null
  let pauseMs = firstPauseMs
  let timer: ReturnType<typeof setTimeout> | undefined
  function connect() {
    timer = undefined
    if (socket !== null || !isWanted()) return
    const opening = open()
    socket = opening
    opening.onopen = opened
    opening.onmessage = ({ data }) => received(String(data))
    opening.onclose = ({ code }) => {
      if (socket !== opening) return
      socket = null
      if (isWanted()) timer ??= setTimeout(connect, pauseMs * (0.75 + Math.random() / 2))
      pauseMs = Math.min(pauseMs * 2, longestPauseMs)
      broke(code)
    }
  }
  return {
    /** Opens it, unless it is open or will be soon. */
    begin() {
      if (timer === undefined) connect()
    },
    send(message: object) {
      if (socket?.readyState === openState) socket.send(JSON.stringify(message))
    },
    /** It works: the next break is a new one. */
    good() {
      pauseMs = firstPauseMs
    },
    end() {
      clearTimeout(timer)
      timer = undefined
      const closing = socket
      socket = null
      closing?.close()
    },
  }
}

/** Connects when something is watched, and for as long as anything is. */
export function createLiveConnection({ open, signedOut }: LiveConnectionDeps): LiveConnection {
  const listeners = createListeners()
  const watchers = new Set<() => void>()
  const tell = () => {
    for (const changed of watchers) changed()
  }
  const lost = createMissing(tell)
  /** What the server has said it watches. */
  let covered: ReadonlySet<string> = new Set()
  let isSeen = true
  let timer: ReturnType<typeof setTimeout> | undefined
  let updatedAtMs = Number.NEGATIVE_INFINITY

  const wanted = (): readonly LiveTopic[] => (isSeen ? listeners.topics() : [])
  const received = (text: string) => {
    const message = JSON.parse(text) as { readonly watching?: readonly string[]; readonly changed?: readonly string[] }
    if (message.changed) listeners.call(message.changed)
    if (!message.watching) return
    const before = covered
    covered = new Set(message.watching)
    link.good()
    lost.end()
    listeners.call(message.watching.filter((topic) => !before.has(topic)))
  }
  const broke = (code: number) => {
    covered = new Set()
    if (code === signedOutCode) signedOut()
    if (wanted().length === 0) return
    lost.begin()
    tell()
  }
  const say = () => link.send({ watch: wanted() })
  const link = createLink({ open, isWanted: () => wanted().length > 0, opened: say, received, broke })
  const update = () => {
    timer = undefined
    updatedAtMs = performance.now()
    if (wanted().length === 0) {
      link.end()
      covered = new Set()
      lost.end()
    } else {
      if (covered.size === 0) lost.begin()
      link.begin()
      say()
    }
  }
  const updateSoon = () => {
    if (timer !== undefined) return
    timer = setTimeout(update, Math.max(gatherMs, updatedAtMs + messageEveryMs - performance.now()))
  }

  return {
    watch(topics, changed) {
      const end = listeners.add(topics, changed)
      updateSoon()
      return () => {
        end()
        updateSoon()
      }
    },
    isLost: lost.is,
    subscribe(changed) {
      watchers.add(changed)
      return () => watchers.delete(changed)
    },
    setSeen(next) {
      isSeen = next
      updateSoon()
    },
  }
}

/** Opens the server's end of the connection, beside the console's API. */
export function openLiveSocket(): LiveSocket {
  const address = new URL('/console/api/live', window.location.href)
  address.protocol = address.protocol.replace('http', 'ws')
  return new WebSocket(address)
}
