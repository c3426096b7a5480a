import { startExpiry } from '../../engines/clickhouse/index.ts'
import type { KeptLonger } from '../../ground/model/kept-longer.ts'
import { exceptionLifetime } from '../../services/issues/index.ts'
import { notesService } from '../../services/notes/index.ts'
import { otlpLifetimes } from '../../services/otlp/index.ts'
import { recordingLifetime } from '../../services/replay/index.ts'
import { searchService } from '../../services/search/index.ts'
import { type SharesDeps, sharesService } from '../../services/shares/index.ts'
import {
  changeLifetime,
  requestLifetimes,
  sharedFile,
  type Thread,
  threadService,
} from '../../services/thread/index.ts'
import type { ComposeInput } from '../instance.ts'
import { planSearch, type SearchJoinDeps } from '../search/search.ts'
import type { Add, Engines, JoinDeps } from '../shared.ts'

/** What is told of sessions, and of all that the console searches. */
interface SessionJoinDeps extends Pick<JoinDeps, 'shared' | 'actions'>, Pick<SearchJoinDeps, 'people' | 'masks'> {
  readonly thread: Thread
  readonly keptLonger: KeptLonger
}

/** Sessions in the console, notes on them, links to them for those who have no account, and the search that finds them. */
export function addSessions(
  add: Add,
  { settings }: Pick<ComposeInput, 'settings'>,
  { postgres }: Pick<Engines, 'postgres'>,
  { thread, shared, actions, people, masks, keptLonger }: SessionJoinDeps,
): void {
  add(threadService(thread, actions))
  const ofThread = [...requestLifetimes(settings.thread), changeLifetime(settings.thread)]
  const lifetimes = [
    ...ofThread,
    recordingLifetime(settings.replay),
    exceptionLifetime(settings.issues),
    ...otlpLifetimes(settings.otlp),
  ]
  add({ start: async () => startExpiry({ ...shared, lifetimes, keptLonger }) })
  const sessionFile: SharesDeps['sessionFile'] = (id, view, signal) => sharedFile(thread, id, view, signal)
  add(sharesService({ ...shared, sessionFile, settings: settings.shares, actions }))
  add(notesService({ ...shared, settings: settings.notes, actions }))
  add(searchService({ ...planSearch({ postgres, thread, people, masks, now: shared.now }), actions }))
}
